/** Few calls and many elements: a product of matrices and its decomposition, of twice the work at twice the scale. */
public class Workload {
    public static void main(String[] args) {
        int size = (int) Math.round(40 * Math.cbrt(Integer.parseInt(args[0])));
        double[][] product = times(random(size, 1), random(size, 2));
        decompose(product);
        long checksum = 0;
        for (double[] row : product) {
            for (double element : row) {
                checksum = checksum * 31 + Double.doubleToLongBits(element);
            }
        }
        System.out.println("checksum " + checksum);
        try {
            times(product, new double[0][]);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static double[][] random(int size, long seed) {
        double[][] matrix = new double[size][size];
        for (double[] row : matrix) {
            for (int column = 0; column < size; column++) {
                seed = seed * 6364136223846793005L + 1442695040888963407L;
                row[column] = 1 + (seed >>> 40) / 1e7;
            }
        }
        return matrix;
    }

    static double[][] times(double[][] left, double[][] right) {
        if (right.length != left.length) {
            throw new IllegalArgumentException("a matrix of " + right.length + " rows");
        }
        double[][] product = new double[left.length][right.length];
        for (int row = 0; row < left.length; row++) {
            for (int column = 0; column < right.length; column++) {
                product[row][column] = dot(left[row], right, column);
            }
        }
        return product;
    }

    static double dot(double[] row, double[][] right, int column) {
        double sum = 0;
        for (int at = 0; at < row.length; at++) {
            sum += row[at] * right[at][column];
        }
        return sum;
    }

    static void decompose(double[][] matrix) {
        for (int pivot = 0; pivot < matrix.length; pivot++) {
            eliminate(matrix, pivot);
        }
    }

    static void eliminate(double[][] matrix, int pivot) {
        for (int row = pivot + 1; row < matrix.length; row++) {
            matrix[row][pivot] /= matrix[pivot][pivot];
            for (int column = pivot + 1; column < matrix.length; column++) {
                matrix[row][column] -= matrix[row][pivot] * matrix[pivot][column];
            }
        }
    }
}
