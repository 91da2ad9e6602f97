import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNDeserializer;
import org.antlr.v4.runtime.atn.ATNSerializer;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.atn.ATNType;
import org.antlr.v4.runtime.atn.AtomTransition;
import org.antlr.v4.runtime.atn.BasicState;
import org.antlr.v4.runtime.atn.BlockEndState;
import org.antlr.v4.runtime.atn.EpsilonTransition;
import org.antlr.v4.runtime.atn.LoopEndState;
import org.antlr.v4.runtime.atn.RuleStartState;
import org.antlr.v4.runtime.atn.RuleStopState;
import org.antlr.v4.runtime.atn.RuleTransition;
import org.antlr.v4.runtime.atn.SetTransition;
import org.antlr.v4.runtime.atn.StarBlockStartState;
import org.antlr.v4.runtime.atn.StarLoopEntryState;
import org.antlr.v4.runtime.atn.StarLoopbackState;
import org.antlr.v4.runtime.atn.Transition;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.tree.xpath.XPathLexer;

/**
 * The transition network of a small grammar, made by hand because the runtime comes without the
 * tool that makes it from a grammar file.
 *
 * <pre>
 * paths : path ( '!' path )* ;
 * path  : step ( step )* ;
 * step  : ( '/' | '//' ) name ;
 * name  : TOKEN_REF | RULE_REF | '*' | STRING ;
 * </pre>
 */
final class PathGrammar {
    static final int PATHS = 0;
    static final int PATH = 1;
    static final int STEP = 2;
    static final int NAME = 3;
    static final String[] RULES = {"paths", "path", "step", "name"};

    private final ATN atn = new ATN(ATNType.PARSER, XPathLexer.STRING);

    private PathGrammar() {
        atn.ruleToStartState = new RuleStartState[RULES.length];
        atn.ruleToStopState = new RuleStopState[RULES.length];
        for (int rule = 0; rule < RULES.length; rule++) {
            RuleStartState start = add(new RuleStartState(), rule);
            RuleStopState stop = add(new RuleStopState(), rule);
            start.stopState = stop;
            atn.ruleToStartState[rule] = start;
            atn.ruleToStopState[rule] = stop;
        }
    }

    /** Reading the serialised network adds what the simulator needs, and checks it. */
    static ATN network() {
        PathGrammar grammar = new PathGrammar();
        ATNState first = grammar.call(grammar.atn.ruleToStartState[PATHS], PATHS, PATH);
        ATNState body = grammar.loop(first, PATHS);
        ATNState bang = grammar.consume(body, PATHS, IntervalSet.of(XPathLexer.BANG));
        grammar.closeLoop(grammar.call(bang, PATHS, PATH), PATHS);

        ATNState step = grammar.call(grammar.atn.ruleToStartState[PATH], PATH, STEP);
        grammar.closeLoop(grammar.call(grammar.loop(step, PATH), PATH, STEP), PATH);

        ATNState slash = grammar.consume(grammar.atn.ruleToStartState[STEP], STEP,
            IntervalSet.of(XPathLexer.ANYWHERE, XPathLexer.ROOT));
        grammar.stop(grammar.call(slash, STEP, NAME), STEP);

        IntervalSet names = new IntervalSet(XPathLexer.TOKEN_REF, XPathLexer.RULE_REF,
            XPathLexer.WILDCARD, XPathLexer.STRING);
        grammar.stop(grammar.consume(grammar.atn.ruleToStartState[NAME], NAME, names), NAME);
        return new ATNDeserializer().deserialize(ATNSerializer.getSerializedAsChars(grammar.atn));
    }

    private StarLoopEntryState entry;
    private BlockEndState blockEnd;

    /** Opens a loop after {@code from}; returns where its body starts. */
    private ATNState loop(ATNState from, int rule) {
        entry = add(new StarLoopEntryState(), rule);
        StarBlockStartState block = add(new StarBlockStartState(), rule);
        blockEnd = add(new BlockEndState(), rule);
        atn.defineDecisionState(entry);
        atn.defineDecisionState(block);
        block.endState = blockEnd;
        blockEnd.startState = block;
        from.addTransition(new EpsilonTransition(entry));
        entry.addTransition(new EpsilonTransition(block));
        ATNState body = add(new BasicState(), rule);
        block.addTransition(new EpsilonTransition(body));
        return body;
    }

    /** Closes the loop that was opened last; the rule ends after it. */
    private void closeLoop(ATNState bodyEnd, int rule) {
        StarLoopbackState back = add(new StarLoopbackState(), rule);
        LoopEndState end = add(new LoopEndState(), rule);
        bodyEnd.addTransition(new EpsilonTransition(blockEnd));
        blockEnd.addTransition(new EpsilonTransition(back));
        back.addTransition(new EpsilonTransition(entry));
        entry.addTransition(new EpsilonTransition(end));
        entry.loopBackState = back;
        end.loopBackState = back;
        stop(end, rule);
    }

    private ATNState call(ATNState from, int rule, int callee) {
        ATNState before = after(from, rule);
        ATNState follow = add(new BasicState(), rule);
        before.addTransition(new RuleTransition(atn.ruleToStartState[callee], callee, 0, follow));
        return follow;
    }

    private ATNState consume(ATNState from, int rule, IntervalSet tokens) {
        ATNState before = after(from, rule);
        ATNState follow = add(new BasicState(), rule);
        Transition transition = tokens.size() == 1
            ? new AtomTransition(follow, tokens.getMinElement())
            : new SetTransition(follow, tokens);
        before.addTransition(transition);
        return follow;
    }

    private void stop(ATNState from, int rule) {
        from.addTransition(new EpsilonTransition(atn.ruleToStopState[rule]));
    }

    /** A fresh state behind {@code from}. */
    private ATNState after(ATNState from, int rule) {
        ATNState next = add(new BasicState(), rule);
        from.addTransition(new EpsilonTransition(next));
        return next;
    }

    private <S extends ATNState> S add(S state, int rule) {
        state.setRuleIndex(rule);
        atn.addState(state);
        return state;
    }
}
