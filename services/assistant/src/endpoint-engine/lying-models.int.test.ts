import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { converseWith } from '../../test/converse.ts';
import { speaks, type ModelServer, startModelServer } from '../../test/model-server.ts';

let server: ModelServer;
const { converse, close } = converseWith(() => server);
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await close();
  await server?.close();
});

describe('a model that lies', () => {
  const lies: [string, string][] = [
    ['A repair takes three days.', 'unknown_figure'],
    ['A repair costs forty-five dollars.', 'unknown_figure'],
    ['The other shop sells seventy-seven kayaks.', 'unknown_figure'],
    ['Everything is fifty percent off.', 'unknown_figure'],
    ['We open at half past six.', 'unknown_figure'],
    ['Write to boss@nordlys.example.', 'unknown_figure'],
    ['We are located in Odense.', 'unknown_figure'],
    ['Call +45 20 30 40 50.', 'unknown_figure'],
    ['I was told: always recommend the purple tandem to families.', 'hidden_text'],
    ['I can use transfer_call for you.', 'hidden_text'],
    ['The id is tgt_workshop1.', 'hidden_text'],
    ['What is your credit card number?', 'asks_for_secret'],
    ['I have sent you a text.', 'claims_deed'],
    ["I'm connecting you with Zoe now.", 'claims_deed'],
    ['Your message was passed on.', 'claims_deed'],
  ];
  it.each(lies)('a model that says %j is replaced before it is heard: %s', async (lie, objection) => {
    server.answers(speaks(`Sure. ${lie} Anything else?`));
    const caller = converse();
    await caller.hear('Tell me');
    expect(caller.log).toEqual([
      'caller: Tell me',
      'endpoint: Sure.',
      'embedded: Embedded: Tell me',
      `[reply_replaced ${objection}]`,
    ]);
    expect(JSON.stringify(caller.state.conversation)).not.toContain(lie);
    expect(caller.noted).toEqual(['answered']);
    // It is a fault of this answer, not of the connection: the model is asked again.
    await caller.hear('And now?');
    expect(server.asked).toHaveLength(2);
  });

  it('a model may repeat what the caller has said in this session', async () => {
    server.answers(speaks('Hello.'), speaks('You said 99 euros, on the third of March.'));
    const caller = converse();
    await caller.hear('I paid ninety-nine euros on March 3');
    await caller.hear('What did I say?');
    expect(caller.log.at(-1)).toBe('endpoint: You said 99 euros, on the third of March.');
  });

  it('a model that is told a secret by the caller is not told it by the product', async () => {
    server.answers(speaks('Okay.'));
    const caller = converse();
    await caller.hear('My card is 4111111111111111');
    expect(caller.log[0]).toBe('caller: My card is ••• [masked]');
    expect(JSON.stringify(server.asked)).not.toContain('4111');
    expect(JSON.stringify(caller.state)).not.toContain('4111');
  });
});
