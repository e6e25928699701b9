import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { converseWith } from '../../test/converse.ts';
import { speaks, type ModelServer, startModelServer } from '../../test/model-server.ts';
import { facts } from '../../test/scripted-engine.ts';
import type { SessionFacts } from '../engine/engine.ts';

let server: ModelServer;
const { converse, close } = converseWith(() => server);
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await close();
  await server?.close();
});

const messagesOf = (request: number) =>
  server.asked[request]!.body.messages as { role: string; content: string | null }[];

describe('tools that a model calls', () => {
  it('tools that a model calls find people, whose ids it may use then', async () => {
    server.answers(
      speaks('Let me see.', ['find_person', { name: 'Zoe' }]),
      speaks(null, ['transfer_call', { target: 'emp_zoe12345' }]),
    );
    const caller = converse();
    const turn = await caller.hear('I want to speak with Zoe');
    expect(messagesOf(1).slice(-2)).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'find_person', arguments: '{"name":"Zoe"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: '{"matches":[{"target":"emp_zoe12345","name":"Zoe Larsen"}]}' },
    ]);
    expect(caller.log.slice(1)).toEqual(['endpoint: Let me see.', 'endpoint: Confirm transfer_call. Is that right?']);
    expect(turn).toMatchObject({ expects: 'yes_no', engine: 'endpoint' });
    expect(caller.embedded()).toEqual(['requested transfer_call {"target":"emp_zoe12345"}']);
    expect(caller.used).toHaveLength(2);
    // The id is known in later turns, too.
    server.answers(speaks(null, ['take_message', { text: 'Hi', target: 'emp_zoe12345' }]));
    await caller.hear('Or take a message');
    expect(caller.embedded().at(-1)).toBe('requested take_message {"text":"Hi","target":"emp_zoe12345"}');
  });

  it('tools that a model calls are the product’s to speak of, whatever the model claims beside them', async () => {
    server.answers(speaks("Sure. I'm connecting you now. Goodbye!", ['transfer_call', { target: 'tgt_workshop1' }]));
    const caller = converse();
    await caller.hear('The workshop, please');
    expect(caller.log.slice(1)).toEqual(['endpoint: Sure.', 'endpoint: Confirm transfer_call. Is that right?']);
    expect(caller.state.conversation.at(-1)).toEqual({
      by: 'assistant',
      text: 'Sure. Confirm transfer_call. Is that right?',
    });
  });

  const wrong: [string, unknown, string][] = [
    ['launch_rocket', {}, 'unknown_tool'],
    ['transfer_call', { target: 'tgt_invented1' }, 'unknown_target'],
    ['transfer_call', { target: 'emp_adam1234' }, 'unknown_target'],
    ['transfer_call', { target: '+4570112233' }, 'unknown_target'],
    ['transfer_call', {}, 'invalid_arguments'],
    ['transfer_call', { target: 5 }, 'invalid_arguments'],
    ['transfer_call', '{"target"', 'invalid_arguments'],
    ['transfer_call', '[]', 'invalid_arguments'],
    ['take_message', { text: '' }, 'invalid_arguments'],
    ['take_message', { text: 'x'.repeat(1001) }, 'invalid_arguments'],
    ['take_message', { text: 'Hi', callback_number: '+45 70 11 22 33' }, 'invalid_number'],
    ['request_callback', { number: '+19005551234' }, 'invalid_number'],
    ['request_callback', { number: '112' }, 'invalid_number'],
    ['send_text', { knowledge_entry_id: 'kno_repair12' }, 'unknown_entry'],
    ['send_text', { knowledge_entry_id: 'kno_parking1' }, 'limit_reached'],
  ];
  it.each(wrong)(
    'a call of %s with %j is refused with %s, and after two the embedded engine takes the turn',
    async (name, args, error) => {
      server.answers(speaks(null, [name, args]));
      const caller = converse();
      await caller.hear('My number is not for you');
      expect(messagesOf(1).at(-1)).toMatchObject({ role: 'tool', content: JSON.stringify({ error }) });
      expect(caller.log).toEqual([
        'caller: My number is not for you',
        '[endpoint_failed tool_errors]',
        'embedded: Embedded: My number is not for you',
      ]);
      expect(server.asked).toHaveLength(2);
      expect(caller.embedded()).toEqual(['decided My number is not for you']);
    },
  );

  it('a wrong call of a tool may be corrected', async () => {
    server.answers(
      speaks(null, ['transfer_call', { target: 'workshop' }]),
      speaks(null, ['transfer_call', { target: 'tgt_workshop1' }]),
    );
    const caller = converse();
    await caller.hear('The workshop, please');
    expect(caller.embedded()).toEqual(['requested transfer_call {"target":"tgt_workshop1"}']);
  });

  it.each([
    ['20 30 40 50', '+45 20 30 40 50'],
    ['twenty thirty forty fifty', '20304050'],
    ['two zero three zero, and then four zero five zero', '0045 20304050'],
    ['plus forty-five 20 30 40 50', '+4520304050'],
  ])('a number that the caller says as %j may be called back', async (said, written) => {
    server.answers(speaks(null, ['request_callback', { number: written, when: 'tomorrow', target: null }]));
    const caller = converse();
    await caller.hear(`Call me at ${said}`);
    expect(caller.embedded()).toEqual(['requested request_callback {"number":"+4520304050","when":"tomorrow"}']);
  });

  it('several calls of tools at once have results for each, and the first action that is in order is done', async () => {
    server.answers(
      speaks(null, ['find_person', { name: 'nobody' }], ['launch_rocket', {}], ['find_person', { name: 'Adam' }]),
      speaks(null, ['hand_over', { reason: 'any' }], ['end_call', {}]),
    );
    const caller = converse();
    await caller.hear('Get me out of here');
    expect(messagesOf(1).slice(-3)).toEqual([
      { role: 'tool', tool_call_id: 'call_0', content: '{"matches":[]}' },
      { role: 'tool', tool_call_id: 'call_1', content: '{"error":"unknown_tool"}' },
      { role: 'tool', tool_call_id: 'call_2', content: '{"matches":[{"target":"emp_adam1234","name":"Adam Olsen"}]}' },
    ]);
    expect(caller.embedded()).toEqual(['requested hand_over {}']);
  });

  it('a model that only looks for people is asked three times, and then replaced', async () => {
    server.answers(speaks(null, ['find_person', { name: 'Zoe' }]));
    const caller = converse();
    await caller.hear('Zoe');
    expect(server.asked).toHaveLength(3);
    expect(caller.log.slice(1)).toEqual(['[endpoint_failed too_many_requests]', 'embedded: Embedded: Zoe']);
  });

  it.each([
    [{}, ['find_person', 'transfer_call', 'take_message', 'request_callback', 'send_text', 'hand_over', 'end_call']],
    [
      { sendText: false, transfer: false },
      ['find_person', 'take_message', 'request_callback', 'hand_over', 'end_call'],
    ],
    [
      { sendText: true, transfer: false, takeMessage: false, requestCallback: false },
      ['send_text', 'hand_over', 'end_call'],
    ],
  ])('the tools of an assistant with the actions %j are %j, and no others can be called', async (actions, names) => {
    const { assistant } = facts;
    const allowed: SessionFacts = {
      ...facts,
      assistant: { ...assistant, actions: { ...assistant.actions, ...actions } },
    };
    server.answers(speaks(null, ['transfer_call', { target: 'tgt_workshop1' }]));
    const caller = converse();
    await caller.hear('Hi', { facts: allowed });
    expect(server.asked[0]!.body.tools.map((tool: any) => tool.function.name)).toEqual(names);
    expect(caller.embedded()).toEqual(
      names.includes('transfer_call') ? ['requested transfer_call {"target":"tgt_workshop1"}'] : ['decided Hi'],
    );
  });
});
