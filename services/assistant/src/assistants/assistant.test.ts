import { describe, expect, it } from '@jest/globals';
import {
  type Assistant,
  type AssistantChange,
  type AssistantFacts,
  beginDeletion,
  cancelDeletion,
  createAssistant,
  deleteAssistant,
  isBeingDeleted,
  removeEmployee,
  updateAssistant,
} from './assistant.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = new Date('2026-03-01T13:00:00Z');
const identity = { id: 'ast_1', companyId: 'com_1', createdOrder: 1, slot: 0 };
let targetIds = 0;
const facts: AssistantFacts = {
  languages: ['en', 'da'],
  voices: ['test-en'],
  unknownEmployees: new Set(['emp_unknown']),
  phoneNumbers: new Map<string, { to: string } | { problem: string } | 'not_allowed'>([
    ['20 30 40 50', { to: '+4520304050' }],
    ['123', { problem: 'is not a valid phone number' }],
    ['+1900', 'not_allowed'],
  ]),
  newTargetId: () => `tgt_${(targetIds += 1)}`,
  now,
};
const required = { name: 'Robin', greeting: 'How can I help?' };
const target = (more: object = {}) => ({
  name: 'Sales',
  aliases: [],
  employeeIds: ['emp_1'],
  phoneNumber: null,
  ...more,
});

const create = (fields: AssistantChange) => createAssistant(identity, fields, facts);
const created = (fields: AssistantChange = {}): Assistant => {
  const decision = create({ ...required, ...fields });
  if (!decision.ok) throw new Error(JSON.stringify(decision.refusal));
  return decision.state;
};
const update = (current: Assistant, change: AssistantChange) =>
  updateAssistant(current, change, { ...facts, now: later });

describe('a new assistant', () => {
  it('a new assistant has the defaults of the product', () => {
    expect(created()).toEqual({
      ...identity,
      ...required,
      language: 'en',
      disclosure: 'You are speaking with an automated assistant.',
      instructions: '',
      voice: null,
      engine: 'auto',
      actions: { transfer: true, takeMessage: true, requestCallback: true, sendText: false },
      transferTargets: [],
      reachEmployeesByName: true,
      recogniseCallers: true,
      keepTranscript: true,
      maxDurationSecs: 600,
      silenceSecs: 7,
      active: true,
      targetIds: [],
      leavingUntil: null,
      createdAt: now,
      updatedAt: now,
    });
  });

  it('a new assistant discloses itself in its language', () => {
    expect(created({ language: 'da' }).disclosure).toBe('Du taler med en automatisk assistent.');
    expect(created({ language: 'da', disclosure: 'Hej, jeg er en robot.' }).disclosure).toBe('Hej, jeg er en robot.');
  });

  it('a new assistant needs a name and a greeting, and every problem is named', () => {
    expect(create({})).toMatchObject({
      ok: false,
      refusal: { code: 'validation_failed', fields: { name: ['is required'], greeting: ['is required'] } },
    });
  });

  it.each<[AssistantChange, string[]]>([
    [{ name: ' ' }, ['name']],
    [{ name: 'x'.repeat(41) }, ['name']],
    [{ language: 'de' }, ['language']],
    [{ language: '' }, ['language']],
    [{ disclosure: '' }, ['disclosure']],
    [{ disclosure: 'x'.repeat(201) }, ['disclosure']],
    [{ greeting: '\n' }, ['greeting']],
    [{ greeting: 'x'.repeat(501) }, ['greeting']],
    [{ instructions: 'x'.repeat(4001) }, ['instructions']],
    [{ voice: 'alloy' }, ['voice']],
    [{ maxDurationSecs: 59 }, ['max_duration_secs']],
    [{ maxDurationSecs: 1801 }, ['max_duration_secs']],
    [{ silenceSecs: 3 }, ['silence_secs']],
    [{ silenceSecs: 21 }, ['silence_secs']],
    [{ transferTargets: [target({ name: '' })] }, ['transfer_targets[0].name']],
    [{ transferTargets: [target({ name: 'x'.repeat(65) })] }, ['transfer_targets[0].name']],
    [
      { transferTargets: [target({ aliases: ['', 'x'.repeat(65)] })] },
      ['transfer_targets[0].aliases[0]', 'transfer_targets[0].aliases[1]'],
    ],
    [{ transferTargets: [target({ aliases: Array(11).fill('a') })] }, ['transfer_targets[0].aliases']],
    [{ transferTargets: [target({ employeeIds: [] })] }, ['transfer_targets[0].employee_ids']],
    [
      { transferTargets: [target(), target({ employeeIds: ['emp_1', 'emp_unknown'] })] },
      ['transfer_targets[1].employee_ids[1]'],
    ],
    [{ transferTargets: [target({ employeeIds: Array(51).fill('emp_1') })] }, ['transfer_targets[0].employee_ids']],
    [{ transferTargets: [target({ phoneNumber: '20 30 40 50' })] }, ['transfer_targets[0].phone_number']],
    [{ transferTargets: [target({ employeeIds: [], phoneNumber: '123' })] }, ['transfer_targets[0].phone_number']],
    [{ transferTargets: Array(51).fill(target()) }, ['transfer_targets']],
    [
      { name: '', silenceSecs: 0, transferTargets: [target({ name: '' })] },
      ['name', 'silence_secs', 'transfer_targets[0].name'],
    ],
  ])('an assistant cannot have %j', (change, paths) => {
    for (const decision of [create({ ...required, ...change }), update(created(), change)]) {
      expect(decision).toMatchObject({ ok: false, refusal: { code: 'validation_failed' } });
      expect(decision.ok ? [] : Object.keys(decision.refusal.fields ?? {})).toEqual(paths);
    }
  });

  it.each<AssistantChange>([
    { name: '👋'.repeat(40), disclosure: 'x'.repeat(200), greeting: 'x'.repeat(500), instructions: 'x'.repeat(4000) },
    { voice: 'test-en', engine: 'embedded', maxDurationSecs: 60, silenceSecs: 20 },
    { maxDurationSecs: 1800, silenceSecs: 4, keepTranscript: false, active: false },
  ])('an assistant can have %j', (change) => expect(created(change)).toMatchObject(change));

  it('an assistant may not transfer to a number that the company may not call', () => {
    const refused = create({ ...required, transferTargets: [target({ employeeIds: [], phoneNumber: '+1900' })] });
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'destination_not_allowed' } });
    // What is wrong comes first.
    const wrong = create({ greeting: 'Hello', transferTargets: [target({ employeeIds: [], phoneNumber: '+1900' })] });
    expect(wrong).toMatchObject({ ok: false, refusal: { code: 'validation_failed' } });
  });
});

describe('a changed assistant', () => {
  it('a changed assistant keeps what is not given, and merges its actions', () => {
    const assistant = created({ instructions: 'Be brief.', actions: { transfer: false } });
    const decision = update(assistant, { actions: { sendText: true }, silenceSecs: 9 });
    expect(decision).toMatchObject({
      state: {
        ...assistant,
        actions: { transfer: false, takeMessage: true, requestCallback: true, sendText: true },
        silenceSecs: 9,
        updatedAt: later,
      },
      events: [{ type: 'assistant.assistant.updated' }],
    });
  });

  it('an assistant that stays the same has no event and no new time', () => {
    const assistant = created({ transferTargets: [target()] });
    expect(update(assistant, { ...required, actions: {}, transferTargets: [target()] })).toMatchObject({
      state: assistant,
      events: [],
    });
  });

  it('an assistant in another language discloses itself in it, unless the words are the company’s own', () => {
    expect(update(created(), { language: 'da' })).toMatchObject({
      state: { disclosure: 'Du taler med en automatisk assistent.' },
    });
    const own = created({ disclosure: 'I am a machine.' });
    expect(update(own, { language: 'da' })).toMatchObject({ state: { disclosure: 'I am a machine.' } });
  });

  it('a list of transfer targets is replaced; a target that keeps its name keeps its id', () => {
    const assistant = created({
      transferTargets: [target(), target({ name: 'Support', employeeIds: ['emp_2', 'emp_2'] })],
    });
    const [sales, support] = assistant.transferTargets;
    expect(support).toMatchObject({ employeeIds: ['emp_2'] });
    expect(assistant.targetIds).toEqual(['emp_1', 'emp_2']);
    const decision = update(assistant, {
      transferTargets: [
        target({ name: 'Support', aliases: ['Help'], employeeIds: [], phoneNumber: '20 30 40 50' }),
        target({ name: 'Front desk' }),
      ],
    });
    if (!decision.ok) throw new Error('refused');
    expect(decision.state.transferTargets).toEqual([
      { id: support?.id, name: 'Support', aliases: ['Help'], employeeIds: [], phoneNumber: '+4520304050' },
      {
        id: expect.stringMatching(/^tgt_/),
        name: 'Front desk',
        aliases: [],
        employeeIds: ['emp_1'],
        phoneNumber: null,
      },
    ]);
    expect(decision.state.transferTargets[1]?.id).not.toBe(sales?.id);
    expect(decision.state.targetIds).toEqual(['emp_1']);
  });

  it('a removed employee leaves the targets, and a target that rings nobody any more goes', () => {
    const assistant = created({
      transferTargets: [
        target({ name: 'One', employeeIds: ['emp_1'] }),
        target({ name: 'Two', employeeIds: ['emp_1', 'emp_2'] }),
        target({ name: 'Outside', employeeIds: [], phoneNumber: '20 30 40 50' }),
      ],
    });
    const decision = removeEmployee(assistant, 'emp_1', later);
    expect(decision).toMatchObject({
      state: { transferTargets: [{ name: 'Two', employeeIds: ['emp_2'] }, { name: 'Outside' }], targetIds: ['emp_2'] },
      events: [{ audit: { type: 'assistant.updated', changes: { transfer_targets: { from: '(set)', to: '(set)' } } } }],
    });
    expect(removeEmployee(assistant, 'emp_9', later)).toMatchObject({ state: assistant, events: [] });
  });
});

describe('a deletion', () => {
  const until = new Date('2026-03-01T12:01:00Z');
  const after = (decision: ReturnType<typeof beginDeletion>) => (decision.ok ? decision.state : created());

  it('a deletion is announced first, and lapses', () => {
    const leaving = after(beginDeletion(created(), until));
    expect(isBeingDeleted(leaving, now)).toBe(true);
    expect(isBeingDeleted(leaving, until)).toBe(false);
    expect(isBeingDeleted(after(cancelDeletion(leaving)), now)).toBe(false);
    expect(deleteAssistant(leaving, now)).toMatchObject({
      state: null,
      events: [{ type: 'assistant.assistant.deleted' }],
    });
    expect(deleteAssistant(leaving, until)).toMatchObject({ ok: false, refusal: { code: 'conflict' } });
    expect(deleteAssistant(created(), now)).toMatchObject({ ok: false });
  });
});

describe('the audit log', () => {
  it('the audit log has the settings of an assistant, of texts and targets only that they have changed', () => {
    const secret = 'The door code is 1234.';
    const targets = [target({ employeeIds: [], phoneNumber: '20 30 40 50' })];
    const decision = create({ ...required, instructions: secret, transferTargets: targets });
    const [event] = decision.ok ? decision.events : [];
    expect(event?.audit).toMatchObject({
      type: 'assistant.created',
      object: { type: 'assistant', id: 'ast_1', name: 'Robin' },
      changes: {
        name: { from: null, to: 'Robin' },
        greeting: { from: null, to: '(set)' },
        instructions: { from: null, to: '(set)' },
        transfer_targets: { from: null, to: '(set)' },
        actions: { from: null, to: { take_message: true } },
      },
    });
    expect(JSON.stringify(event?.audit)).not.toMatch(/door code|help|20304050/);
  });
});
