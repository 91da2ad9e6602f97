// The client with which debug adapters for VS Code are tested, on `askance dap`: it checks every message that it gets, and
// the order of those of a session.

'use strict';

const assert = require('node:assert');
const path = require('node:path');

const [modules, executable, file] = process.argv.slice(2);
const { DebugClient } = require(path.join(modules, '@vscode', 'debugadapter-testsupport'));

/** Goes somewhere; where that led. */
async function go(client, request, reason, line) {
    const [, , stack] = await Promise.all([
        request,
        client.waitForEvent('stopped').then((event) => assert.equal(event.body.reason, reason)),
        client.assertStoppedLocation(reason, { line }),
    ]);
    return stack;
}

async function variables(client, frameId, name) {
    const { body } = await client.scopesRequest({ frameId });
    const scope = body.scopes.find((scope) => scope.name === name);
    const found = await client.variablesRequest({ variablesReference: scope.variablesReference });
    return Object.fromEntries(found.body.variables.map(({ name, value }) => [name, value]));
}

async function main() {
    const client = new DebugClient(executable, 'dap', 'askance', { cwd: path.dirname(file) });
    client.defaultTimeout = 100_000;
    await client.start();
    const launched = { program: file, stopOnBreakpoint: true };
    // Initialises, sets the breakpoint, launches, and waits for the stop.
    await client.hitBreakpoint(launched, { path: file, line: 13 });
    const threadId = 1;
    const { body: stack } = await client.stackTraceRequest({ threadId });
    assert.deepEqual(
        stack.stackFrames.map((frame) => frame.line),
        [13, 7],
    );
    const given = await variables(client, stack.stackFrames[0].id, 'Arguments');
    assert.deepEqual(given, { values: '[4, 9, 1, 7]' });

    await go(client, client.nextRequest({ threadId }), 'step', 16);
    await go(client, client.stepBackRequest({ threadId }), 'breakpoint', 13);
    await go(client, client.continueRequest({ threadId }), 'breakpoint', 13);
    await go(client, client.reverseContinueRequest({ threadId }), 'breakpoint', 13);
    const [frame] = (await client.stackTraceRequest({ threadId })).body.stackFrames;
    const evaluated = await client.evaluateRequest({ expression: 'values.length', frameId: frame.id });
    assert.equal(evaluated.body.result, '4');
    const code = await client.send('disassemble', {
        memoryReference: frame.instructionPointerReference,
        instructionCount: 3,
    });
    assert.equal(code.body.instructions.length, 3);
    assert.match(code.body.instructions[0].instruction, /aload/);

    await assert.rejects(client.setVariableRequest({ variablesReference: 1, name: 'values', value: 'null' }));
    await client.disconnectRequest();
    console.log('done');
    // The adapter is gone by itself; the client would say good-bye to it once more.
    process.exit(0);
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
