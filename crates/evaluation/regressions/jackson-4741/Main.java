import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;

public class Main {
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public static class Note {
        public String title = null;
        public int n = 5;
        public String body = "none";
    }

    public static void main(String[] args) throws Exception {
        Note note = new Note();
        note.title = "";
        note.n = 6;
        System.out.println(new ObjectMapper().writeValueAsString(note));
    }
}
