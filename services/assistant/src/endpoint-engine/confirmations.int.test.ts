import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { converseWith } from '../../test/converse.ts';
import { type ModelServer, respondsWith, speaks, startModelServer } from '../../test/model-server.ts';
import { embeddedEngine } from '../engine/embedded-engine.ts';
import { sessionEngine } from './session-engine.ts';

let server: ModelServer;
const { converse, close } = converseWith(() => server);
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await close();
  await server?.close();
});

/** A caller whose session has the real embedded engine behind the model. */
async function caller() {
  const conversation = converse({ engine: sessionEngine(embeddedEngine) });
  await conversation.hear({ kind: 'begin' });
  conversation.log.length = 0;
  return conversation;
}

describe('an action that a model chooses', () => {
  it('an action that a model chooses is confirmed by the product, and nothing happens without a yes', async () => {
    server.answers(speaks(null, ['take_message', { text: 'The blue bicycle is ready', caller_name: 'Jane' }]));
    const session = await caller();
    const asked = await session.hear('Please tell them that the blue bicycle is ready, I am Jane');
    expect(asked).toMatchObject({ action: null, expects: 'yes_no', engine: 'endpoint' });
    expect(session.log.join(' ')).toContain('blue bicycle is ready');
    const { action } = await session.hear('Yes, please');
    expect(action).toMatchObject({ name: 'take_message', arguments: { text: 'The blue bicycle is ready' } });
    expect(server.asked).toHaveLength(1);
    const told = await session.hear({ kind: 'action_result', actionId: action!.id, result: 'taken' });
    expect(told.action).toBeNull();
    expect(session.state.conversation.at(-1)!.text).toMatch(/noted|message|passed/i);
  });

  it('an action that a model chooses is not done after a no, and the model is asked for what is wrong', async () => {
    server.answers(
      speaks(null, ['take_message', { text: 'The blue bicycle is ready' }]),
      speaks(null, ['take_message', { text: 'The red bicycle is ready' }]),
    );
    const session = await caller();
    await session.hear('Tell them the blue bicycle is ready');
    const corrected = await session.hear('No, the red bicycle is ready');
    expect(corrected.action).toBeNull();
    expect(session.log.slice(-5).join(' ')).toContain('red bicycle');
    const { action } = await session.hear('Yes');
    expect(action).toMatchObject({ name: 'take_message', arguments: { text: 'The red bicycle is ready' } });
  });

  it('an action that a model chooses is repeated to the caller, whose words reach the model only as theirs', async () => {
    server.answers(
      speaks(null, ['take_message', { text: 'The blue bicycle is ready', caller_name: 'Jane' }]),
      speaks('Let me see.'),
    );
    const session = await caller();
    await session.hear('Tell them the blue bicycle is ready, I am Jane');
    await session.hear({
      kind: 'interrupted',
      spoken: session.log.map((line) => line.replace(/^\w+: /, '')).join(' '),
    });
    await session.hear('No, that is not what I meant at all');
    await session.hear('Do you sell helmets?');
    const [messages] = server.asked.slice(-1).map(({ body }) => body.messages as { role: string; content: string }[]);
    const said = (role: string) =>
      messages!
        .filter((message) => message.role === role)
        .map(({ content }) => content)
        .join('\n');
    expect(said('user')).toContain('blue bicycle');
    expect(said('assistant')).not.toMatch(/bicycle|Jane/);
  });

  it('a person whose name was not heard exactly is confirmed before ringing, without asking the model again', async () => {
    server.answers(
      speaks(null, ['find_person', { name: 'Soey Larson' }]),
      speaks(null, ['transfer_call', { target: 'emp_zoe12345' }]),
    );
    const session = await caller();
    const asked = await session.hear('I want to speak with Soey Larson');
    expect(asked.action).toBeNull();
    expect(session.log.at(-1)).toContain('Zoe Larsen');
    const { action } = await session.hear('Yes');
    expect(action).toMatchObject({ name: 'transfer_call', arguments: { target: 'emp_zoe12345' } });
    expect(server.asked).toHaveLength(2);
  });

  it('a person whose name was heard exactly is rung at once', async () => {
    server.answers(
      speaks(null, ['find_person', { name: 'Zoe Larsen' }]),
      speaks(null, ['transfer_call', { target: 'emp_zoe12345' }]),
    );
    const session = await caller();
    const { action } = await session.hear('I want to speak with Zoe Larsen');
    expect(action).toMatchObject({ name: 'transfer_call', arguments: { target: 'emp_zoe12345' } });
  });

  it('an action that a model chooses twice too often is refused', async () => {
    server.answers(speaks(null, ['transfer_call', { target: 'tgt_workshop1' }]));
    const session = await caller();
    for (let tries = 0; tries < 2; tries += 1) {
      const { action } = await session.hear('The Workshop, please');
      expect(action).toMatchObject({ name: 'transfer_call' });
      await session.hear({ kind: 'action_result', actionId: action!.id, result: 'no_answer' });
    }
    server.answers(speaks(null, ['transfer_call', { target: 'tgt_workshop1' }]), speaks('They do not answer, sorry.'));
    const before = server.asked.length;
    const third = await session.hear('The Workshop, please');
    expect(third.action).toBeNull();
    expect(server.asked.length - before).toBe(2);
    expect(server.asked.at(-1)!.body.messages.at(-1).content).toBe('{"error":"limit_reached"}');
  });

  it('a text that a model wants to send is confirmed, and sent to nobody but the caller', async () => {
    server.answers(speaks(null, ['send_text', { knowledge_entry_id: 'kno_parking1', number: '+4599999999' }]));
    const session = await caller();
    const asked = await session.hear('Can you text me where to park?');
    expect(asked).toMatchObject({ action: null, expects: 'yes_no' });
    const { action } = await session.hear('Yes');
    expect(action).toMatchObject({ name: 'send_text', arguments: { knowledge_entry_id: 'kno_parking1' } });
    expect(JSON.stringify(action)).not.toContain('99999999');
  });

  it('a caller in an emergency, and one who tells a secret, is answered by the product, and the model is not told', async () => {
    server.answers(speaks('Okay.'));
    const session = await caller();
    await session.hear('My card number is 4111 1111 1111 1111');
    expect(session.log[0]).toMatch(/•••.*\[masked\]/);
    const { action } = await session.hear('Help, there is a fire, I cannot breathe');
    expect(action).toMatchObject({ name: 'hand_over', reason: 'emergency' });
    expect(server.asked).toEqual([]);
  });

  it('a session whose model fails goes on with the embedded engine, which answers from what is written down', async () => {
    server.answers(respondsWith(500));
    const session = await caller();
    await session.hear('How long does a repair take?');
    expect(session.log).toEqual([
      'caller: How long does a repair take?',
      '[endpoint_failed invalid_answer]',
      expect.stringMatching(/^embedded: .*two days.*45 euros/),
    ]);
  });

  it('a session whose model invents something is answered from what is written down', async () => {
    server.answers(speaks('A repair takes six weeks.'));
    const session = await caller();
    await session.hear('How long does a repair take?');
    expect(session.log.slice(1)).toEqual([
      expect.stringMatching(/^embedded: .*two days.*45 euros/),
      '[reply_replaced unknown_figure]',
    ]);
  });

  it('a caller who asks for the same again hears what the model said last', async () => {
    server.answers(speaks('You can park behind the house.'));
    const session = await caller();
    await session.hear('Where can I park?');
    server.answers(respondsWith(500));
    await session.hear('Could you repeat that?');
    expect(session.log.at(-1)).toBe('embedded: You can park behind the house.');
  });
});
