import org.apache.commons.validator.routines.EmailValidator;

/** Tells which addresses are valid. */
public class Main {
    public static void main(String[] args) {
        for (String address : new String[] {"ada@example.org", "ada@org", "ada@", "alan.t@b.co.uk"}) {
            System.out.println(address + " " + EmailValidator.getInstance().isValid(address));
        }
    }
}
