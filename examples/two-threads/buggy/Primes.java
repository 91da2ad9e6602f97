/** Primality by trial division. */
final class Primes {
    private Primes() {
    }

    static boolean isPrime(int number) {
        if (number < 2) {
            return false;
        }
        for (int divisor = 2; divisor * divisor < number; divisor++) {
            if (divides(divisor, number)) {
                return false;
            }
        }
        return true;
    }

    static boolean divides(int divisor, int number) {
        return number % divisor == 0;
    }
}
