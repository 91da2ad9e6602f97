import com.alibaba.fastjson.JSON;

/** Reads a whole number that was written with a fraction. */
public class Main {
    public static class Person {
        public String name;
        public int age;
    }

    public static void main(String[] args) {
        for (String text : new String[] {"{\"name\":\"Ada\",\"age\":36}", "{\"name\":\"Alan\",\"age\":41.5}"}) {
            Person person = JSON.parseObject(text, Person.class);
            System.out.println(person.name + " " + person.age);
        }
    }
}
