import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import { RouteExplanationService, RoutingService, RoutingSlot } from '@parley/proto/numbers_routing/v1/routing_pb';
import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { asEmployee, type FakeAssistant } from '@parley/testkit/service';
import { createNumber } from './create-number.ts';
import { assistantWith, forwardTo, menuToAssistant, transferTo, voicemail } from './flow-messages.ts';
import { refusedWith, startNumbersRouting, type TestNumbersRouting } from './start-numbers-routing.ts';

let parley: TestNumbersRouting;
let numbers: TestNumbersRouting['numbers'];
let routing: TestNumbersRouting['routing'];
beforeAll(async () => {
  parley = await startNumbersRouting();
  ({ numbers, routing } = parley);
});
afterAll(() => parley?.stop());

let companyId: string;
let ownerId: string;
let me: ReturnType<typeof asEmployee>;
let robin: FakeAssistant;
let id: string;
let number: string;
beforeEach(async () => {
  ({ companyId, ownerId } = parley.directory.createCompany());
  me = asEmployee(companyId, ownerId);
  parley.assistants.onLookUp = undefined;
  parley.assistants.broken = false;
  robin = parley.assistants.addAssistant(companyId);
  ({ id, number } = await createNumber(parley, companyId));
});

const noAssistant = ['is not an assistant of the company'];
const incoming = async () => (await numbers.getBusinessNumber({ id }, me)).view?.number?.incomingCallConfig?.config;
const withRobin = async () => {
  const service = parley.as('assistant').client(RoutingService);
  return (await service.listNumbersWithAssistant({ companyId, assistantId: robin.id })).numbers;
};

describe('a flow with an assistant', () => {
  it('a flow with an assistant has its name, and the audio of its fallback, in every slot', async () => {
    const config = assistantWith(robin.id, voicemail(`Speak ${id}`));
    await numbers.setIncomingCallConfig({ id, config }, me);
    await numbers.setOutsideBusinessHoursConfig({ id, config }, me);
    await numbers.setNoAnswerConfig({ id, config, timer: { timeoutSecs: 30 } }, me);
    const read = async () => (await numbers.getBusinessNumber({ id }, me)).view?.number;
    const greeting = { text: `Speak ${id}`, audioUrl: expect.stringContaining('/media/prompts/') };
    const shown = {
      config: {
        case: 'assistant',
        value: {
          assistantId: robin.id,
          assistantName: 'Robin',
          fallback: { config: { case: 'voicemail', value: { greeting } } },
        },
      },
    };
    await waitUntil(async () => JSON.stringify((await read())?.noAnswerConfig ?? {}).includes('/media/prompts/'), {
      what: 'the audio of the fallback',
    });
    expect(await read()).toMatchObject({
      incomingCallConfig: shown,
      outsideBusinessHoursConfig: shown,
      noAnswerConfig: shown,
    });
    expect(parley.speech.synthesized.filter(({ text }) => text === `Speak ${id}`)).toHaveLength(1);
  });

  it('a flow with an assistant is given to a call with the name and the contents of the fallback’s prompts', async () => {
    const config = menuToAssistant(robin.id, voicemail('Speak'));
    await numbers.setIncomingCallConfig({ id, config }, me);
    const at = { seconds: BigInt(Date.parse('2026-01-05T12:00:00Z') / 1000) };
    const { flow } = await routing.resolveRoute({ number, at });
    const greeting = { text: 'Speak', contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(flow?.config).toMatchObject({
      case: 'phoneMenu',
      value: {
        menuOptions: [
          {
            employeeIds: [],
            assistant: {
              assistantId: robin.id,
              assistantName: 'Robin',
              fallback: { config: { case: 'voicemail', value: { greeting } } },
            },
          },
        ],
      },
    });
    expect(flow?.config.value).not.toHaveProperty('menuOptions[0].prompt');
  });

  it('a flow with an assistant is refused for one that is unknown, of another company or being deleted', async () => {
    const foreign = parley.assistants.addAssistant(parley.directory.createCompany().companyId);
    const leaving = parley.assistants.addAssistant(companyId, { leaving: true });
    for (const wrong of [foreign.id, leaving.id, newId('ast'), 'x', '']) {
      await expect(
        numbers.setIncomingCallConfig({ id, config: assistantWith(wrong, transferTo(ownerId)) }, me),
      ).rejects.toEqual(refusedWith({ code: 'validation_failed', fields: { assistant_id: noAssistant } }));
      await expect(
        numbers.setNoAnswerConfig({ id, config: menuToAssistant(wrong, transferTo('x')) }, me),
      ).rejects.toEqual(
        refusedWith({
          fields: {
            'menu_options[0].assistant_id': noAssistant,
            'menu_options[0].fallback.employee_ids[0]': ['is not an employee of the company'],
          },
        }),
      );
    }
    const checked = await numbers.checkCallTargets(
      { id, employeeIds: [ownerId, 'x'], assistantIds: [robin.id, foreign.id] },
      me,
    );
    expect(checked).toMatchObject({ unknownEmployeeIds: ['x'], unknownAssistantIds: [foreign.id] });
  });

  it('a flow with an assistant is refused without a fallback, and with a menu or another assistant as fallback', async () => {
    const refused = (config: ReturnType<typeof assistantWith>, field: string) =>
      expect(numbers.setIncomingCallConfig({ id, config }, me)).rejects.toEqual(
        refusedWith({ fields: { [field]: [expect.any(String)] } }),
      );
    await refused(assistantWith(robin.id, {}), 'fallback');
    await refused(assistantWith(robin.id, menuToAssistant(robin.id, transferTo(ownerId))), 'fallback.type');
    await refused(
      menuToAssistant(robin.id, assistantWith(robin.id, transferTo(ownerId))),
      'menu_options[0].fallback.type',
    );
  });

  it('a flow with an assistant forwards to a number under the rules of a forward', async () => {
    await numbers.setIncomingCallConfig({ id, config: assistantWith(robin.id, forwardTo('20 30 40 50')) }, me);
    const forward = { case: 'forward', value: { phoneNumber: '+4520304050' } };
    expect(await incoming()).toMatchObject({ value: { fallback: { config: forward } } });
    await expect(
      numbers.setIncomingCallConfig({ id, config: menuToAssistant(robin.id, forwardTo(number)) }, me),
    ).rejects.toEqual(
      refusedWith({
        fields: { 'menu_options[0].fallback.phone_number': ['is a business number of the company'] },
      }),
    );
  });

  it('a flow with an assistant makes the employees of its fallback call targets, on whom no number depends', async () => {
    await numbers.setIncomingCallConfig({ id, config: assistantWith(robin.id, transferTo(ownerId)) }, me);
    const targeting = async () => (await routing.listNumbersTargeting({ companyId, employeeId: ownerId })).numbers;
    expect(await targeting()).toMatchObject([
      { id, inUseBy: [RoutingSlot.INCOMING_CALL], incomingCallEmployeeIds: [] },
    ]);
    await numbers.setIncomingCallConfig({ id, config: menuToAssistant(robin.id, transferTo(ownerId)) }, me);
    expect(await targeting()).toMatchObject([{ id, incomingCallEmployeeIds: [ownerId] }]);
  });
});

describe('the name of an assistant in a flow', () => {
  const name = async () => {
    const config = await incoming();
    return config?.case === 'assistant' ? config.value.assistantName : undefined;
  };
  beforeEach(async () => {
    await numbers.setIncomingCallConfig({ id, config: assistantWith(robin.id, transferTo(ownerId)) }, me);
  });

  it('the name of an assistant in a flow is asked for once, and again after the event of a change', async () => {
    expect(await name()).toBe('Robin');
    let requests = 0;
    parley.assistants.onLookUp = async () => void (requests += 1);
    expect([await name(), requests]).toEqual(['Robin', 0]);
    robin.name = 'Kim';
    const about = { companyId, aggregateId: robin.id };
    await parley.publish('assistant.assistant.updated', { assistantId: robin.id, name: 'Kim' }, about);
    await waitUntil(async () => (await name()) === 'Kim', { what: 'the new name', timeoutMs: 1500 });
    expect(requests).toBe(1);
  });

  it('the name of an assistant in a flow is at most two seconds old when no event arrives', async () => {
    expect(await name()).toBe('Robin');
    robin.name = 'Alex';
    await waitUntil(async () => (await name()) === 'Alex', { what: 'the new name', timeoutMs: 4000 });
  });

  it('the name of an assistant in a flow is the last known one while the service is away, and calls are routed', async () => {
    expect(await name()).toBe('Robin');
    parley.assistants.broken = true;
    await parley.publish(
      'assistant.assistant.updated',
      { assistantId: robin.id, name: 'Robin' },
      { companyId, aggregateId: robin.id },
    );
    let failed = 0;
    parley.assistants.onLookUp = async () => void (failed += 1);
    const namesAfterFailure = async () => {
      const read = await name();
      return failed > 0 && read;
    };
    expect(await waitUntil(namesAfterFailure, { what: 'a request that failed' })).toBe('Robin');
    expect((await routing.resolveRoute({ number })).number?.id).toBe(id);
    await expect(
      numbers.setNoAnswerConfig({ id, config: assistantWith(robin.id, transferTo(ownerId)) }, me),
    ).rejects.toThrow();
  });
});

describe('the numbers with an assistant', () => {
  it('the numbers with an assistant are those that have it answer in any slot or menu', async () => {
    expect(await withRobin()).toEqual([]);
    await numbers.setOutsideBusinessHoursConfig({ id, config: menuToAssistant(robin.id, transferTo(ownerId)) }, me);
    const other = await createNumber(parley, companyId);
    await numbers.setNoAnswerConfig({ id: other.id, config: assistantWith(robin.id, voicemail('Speak')) }, me);
    expect(await withRobin()).toMatchObject([
      { id, name: 'Support' },
      { id: other.id, name: 'Support' },
    ]);
    await numbers.setOutsideBusinessHoursConfig({ id }, me);
    expect(await withRobin()).toMatchObject([{ id: other.id }]);
    const foreign = parley.directory.createCompany().companyId;
    expect((await routing.listNumbersWithAssistant({ companyId: foreign, assistantId: robin.id })).numbers).toEqual([]);
  });

  it('the numbers with an assistant contain one that is just being changed to it, from before the check on', async () => {
    let during: Awaited<ReturnType<typeof withRobin>> = [];
    parley.assistants.onLookUp = async () => {
      parley.assistants.onLookUp = undefined;
      during = await withRobin();
    };
    await numbers.setIncomingCallConfig({ id, config: assistantWith(robin.id, transferTo(ownerId)) }, me);
    expect(during).toMatchObject([{ id, name: 'Support' }]);
    expect(await withRobin()).toMatchObject([{ id }]);
  });

  it('the numbers with an assistant do not contain one whose change was refused', async () => {
    robin.leaving = true;
    const config = assistantWith(robin.id, transferTo(ownerId));
    await expect(numbers.setIncomingCallConfig({ id, config }, me)).rejects.toThrow();
    expect(await withRobin()).toEqual([]);
  });

  it('the numbers with an assistant never grow after a deletion that found none, whenever the change was sent', async () => {
    for (let round = 0; round < 15; round += 1) {
      const assistant = parley.assistants.addAssistant(companyId);
      const own = { companyId, assistantId: assistant.id };
      const changed = numbers
        .setIncomingCallConfig({ id, config: assistantWith(assistant.id, transferTo(ownerId)) }, me)
        .then(() => true)
        .catch(() => false);
      const deleted = (async () => {
        for (let turns = 0; turns < round; turns += 1) await routing.getNumber({ id });
        assistant.leaving = true;
        const { numbers: using } = await routing.listNumbersWithAssistant(own);
        if (using.length > 0) assistant.leaving = false;
        return using.length === 0;
      })();
      const outcome = { changed: await changed, deleted: await deleted };
      expect(outcome).not.toEqual({ changed: true, deleted: true });
      const { numbers: using } = await routing.listNumbersWithAssistant(own);
      expect(using).toHaveLength(outcome.changed ? 1 : 0);
    }
  });
});

describe('the explanation of a flow with an assistant', () => {
  const explain = async (proposal?: object) =>
    parley
      .as('gateway')
      .client(RouteExplanationService)
      .explainRoute(
        { id, at: { seconds: BigInt(Date.parse('2026-01-05T12:00:00Z') / 1000) }, ...(proposal && { proposal }) },
        me,
      );

  it('the explanation of a flow with an assistant names it, the engine in use, its fallback and whom that would ring', async () => {
    robin.engineInUse = AssistantEngine.ENDPOINT;
    await numbers.setIncomingCallConfig({ id, config: assistantWith(robin.id, transferTo(ownerId)) }, me);
    const explanation = await explain();
    expect(explanation).toMatchObject({
      assistants: [{ id: robin.id, name: 'Robin', active: true, engine: AssistantEngine.ENDPOINT }],
      employees: [{ id: ownerId }],
      flow: { config: { case: 'assistant', value: { assistantName: 'Robin' } } },
    });
    expect(explanation.reasons).toEqual(
      expect.arrayContaining([
        'The assistant “Robin” answers, with the model of an endpoint.',
        'Its fallback: employees ring.',
      ]),
    );
    // The engine is what it is now, however often it has been asked for.
    robin.engineInUse = AssistantEngine.EMBEDDED;
    expect((await explain()).assistants).toMatchObject([{ engine: AssistantEngine.EMBEDDED }]);
  });

  it('the explanation of a proposed flow with an assistant is the same, and refuses one of another company', async () => {
    const outside = { config: menuToAssistant(robin.id, transferTo(ownerId)) };
    const noAnswer = { config: assistantWith(robin.id, voicemail('Speak')) };
    const explanation = await explain({
      incomingCallConfig: outside.config,
      noAnswerConfig: noAnswer,
      noAnswerTimer: { timeoutSecs: 30 },
    });
    expect(explanation).toMatchObject({
      assistants: [{ id: robin.id, digit: '1' }],
      noAnswerAssistants: [{ id: robin.id, name: 'Robin' }],
      employees: [{ id: ownerId, digit: '1' }],
    });
    expect(explanation.reasons).toContain('Key 1: The assistant “Robin” answers, with the embedded engine.');
    const foreign = parley.assistants.addAssistant(newId('com')).id;
    await expect(explain({ incomingCallConfig: assistantWith(foreign, transferTo(ownerId)) })).rejects.toEqual(
      refusedWith({ fields: { 'incoming_call_config.assistant_id': noAssistant } }),
    );
    expect((await explain()).assistants).toEqual([]);
  });
});
