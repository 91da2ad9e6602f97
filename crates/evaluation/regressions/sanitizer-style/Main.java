import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.PolicyFactory;

/** Lets style sheets pass, as a policy may that trusts who writes them. */
public class Main {
    public static void main(String[] args) {
        PolicyFactory policy = new HtmlPolicyBuilder()
                .allowElements("p", "style")
                .allowTextIn("style")
                .toFactory();
        System.out.println(policy.sanitize("<p>one</p>"));
        System.out.println(policy.sanitize("<style>p { color: red }</style>"));
    }
}
