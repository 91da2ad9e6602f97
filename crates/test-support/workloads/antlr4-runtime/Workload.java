import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStreamRewriter;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.antlr.v4.runtime.tree.ErrorNode;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.ParseTreeListener;
import org.antlr.v4.runtime.tree.ParseTreeWalker;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.antlr.v4.runtime.tree.xpath.XPath;
import org.antlr.v4.runtime.tree.xpath.XPathLexer;

/**
 * Lexes and parses lists of paths. The lexer is the one that the runtime brings for its own path
 * expressions; the parser is interpreted, over a transition network made by {@link PathGrammar}.
 */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        ATN atn = PathGrammar.network();
        String text = paths(40);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            ParserInterpreter parser = parser(atn, text);
            ParseTree tree = parser.parse(PathGrammar.PATHS);
            Counter counter = new Counter();
            ParseTreeWalker.DEFAULT.walk(counter, tree);
            checksum = checksum * 31 + counter.rules * 31 + counter.terminals;
            checksum = checksum * 31 + tree.toStringTree(parser).hashCode();
            checksum = checksum * 31 + XPath.findAll(tree, "//step/name", parser).size();
            checksum = checksum * 31 + XPath.findAll(tree, "/paths/path/!step", parser).size();
            checksum = checksum * 31 + rewrite(parser).hashCode();
            checksum = checksum * 31 + intervals(round).hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            parser(atn, "/a/!/b").parse(PathGrammar.PATHS);
        } catch (ParseCancellationException e) {
            System.out.println("expected: " + e.getCause());
        }
    }

    static String paths(int count) {
        StringJoiner text = new StringJoiner("!");
        for (int i = 0; i < count; i++) {
            text.add("/list//Item" + i + "/'literal'/*/leaf_" + i % 7);
        }
        return text.toString();
    }

    static ParserInterpreter parser(ATN atn, String text) {
        XPathLexer lexer = new XPathLexer(CharStreams.fromString(text));
        ParserInterpreter parser = new ParserInterpreter("Paths.g4", XPathLexer.VOCABULARY,
            Arrays.asList(PathGrammar.RULES), atn, new CommonTokenStream(lexer));
        parser.setErrorHandler(new BailErrorStrategy());
        return parser;
    }

    /** Puts every literal in brackets and leaves the wildcards out. */
    static String rewrite(ParserInterpreter parser) {
        CommonTokenStream tokens = (CommonTokenStream) parser.getTokenStream();
        TokenStreamRewriter rewriter = new TokenStreamRewriter(tokens);
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).getType() == XPathLexer.STRING) {
                rewriter.insertBefore(i, "[");
                rewriter.insertAfter(i, "]");
            } else if (tokens.get(i).getType() == XPathLexer.WILDCARD) {
                rewriter.delete(i);
            }
        }
        return rewriter.getText();
    }

    static String intervals(int seed) {
        IntervalSet set = new IntervalSet();
        List<IntervalSet> others = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int start = (i * 37 + seed) % 200;
            set.add(start, start + i % 9);
            others.add(IntervalSet.of(start / 2, start / 2 + 3));
        }
        IntervalSet union = IntervalSet.or(others.toArray(new IntervalSet[0]));
        return set.subtract(union).toString() + set.and(union).complement(0, 220);
    }

    static final class Counter implements ParseTreeListener {
        int rules;
        int terminals;

        @Override
        public void visitTerminal(TerminalNode node) {
            terminals++;
        }

        @Override
        public void visitErrorNode(ErrorNode node) {
            throw new IllegalStateException(node.getText());
        }

        @Override
        public void enterEveryRule(ParserRuleContext context) {
            rules++;
        }

        @Override
        public void exitEveryRule(ParserRuleContext context) {
            rules += context.getChildCount();
        }
    }
}
