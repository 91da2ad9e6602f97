package java.lang;

import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;

/**
 * Where classes come from. Called while a class is being loaded, so it uses getters and nothing else: a URL's own
 * text is made by its handler, which may be the program's.
 */
final class AskanceLocations {
    private AskanceLocations() {}

    /** Protocol and path of the place that the class came from; null if it has none. */
    static String of(ProtectionDomain domain) {
        CodeSource source = domain.getCodeSource();
        URL location = source == null ? null : source.getLocation();
        if (location == null || location.getProtocol() == null || location.getPath() == null) {
            return null;
        }
        return location.getProtocol().concat(":").concat(location.getPath());
    }
}
