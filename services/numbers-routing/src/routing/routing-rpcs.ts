import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import {
  type GetTextingRequest,
  RouteExplanationService,
  RoutingService,
} from '@parley/proto/numbers_routing/v1/routing_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import type { Assignments } from '../assignments/assignment-store.ts';
import { openingAt } from '@parley/opening-hours';
import { employeesOf, textsOf } from '../call-flows/call-flow.ts';
import { callFlowToProto, slotToProto } from '../call-flows/call-flow-proto.ts';
import {
  announcementOf,
  type BusinessNumber,
  callbackTexts,
  flowIn,
  keyPromptText,
  positionTexts,
  promptOf,
  ROUTING_SLOTS,
} from '../numbers/business-number.ts';
import { snapshotToProto } from '../numbers/business-number-proto.ts';
import { type BusinessNumbers, OLDEST_FIRST } from '../numbers/business-number-store.ts';
import { flowDetails, promptAudioViews, type ViewDeps } from '../numbers/number-view.ts';
import type { ReleasedNumber, ReleasedNumbers } from '../numbers/released-number-store.ts';
import { textingSettingsToProto } from '../texting-settings/texting-settings-rpcs.ts';
import { explainRoute } from './explain-route.ts';
import { resolveRoute } from './route.ts';

export interface RoutingDeps extends ViewDeps {
  readonly numbers: BusinessNumbers;
  readonly released: ReleasedNumbers;
  readonly assignments: Assignments;
  readonly clock: Clock;
}

const IDS_MAX = 1000;

export function addRoutingRpcs(server: RpcServer, deps: RoutingDeps): void {
  const { numbers, released, clock } = deps;
  server.add(RouteExplanationService, employees.withRole('member'), { explainRoute: explainRoute(deps) });
  server.add(RoutingService, services('directory', 'call-control', 'messaging-inbox', 'reports', 'assistant'), {
    async resolveRoute(request) {
      const number = await numbers.byE164(request.number);
      if (!number) throw new Refused(notFound);
      const at = request.at ? timestampDate(request.at) : clock.now();
      const { opening, slot, flow, noAnswer } = resolveRoute(number, at);
      const announcement = announcementOf(number);
      const announced = announcement === null ? [] : [announcement];
      const places = positionTexts(number);
      const [offer] = callbackTexts(number);
      const texts = new Set([
        ...textsOf(flow),
        ...textsOf(noAnswer?.flow ?? null),
        ...announced,
        ...places,
        ...callbackTexts(number),
      ]);
      const details = await flowDetails(
        deps,
        number,
        [...texts].map((text) => promptOf(number, text)),
      );
      const { audioOf } = details;
      return {
        number: snapshotToProto(number),
        withinBusinessHours: opening.open,
        slot: slotToProto(slot),
        ...(flow && { flow: callFlowToProto(flow, details) }),
        ...(noAnswer && {
          noAnswer: { timeoutSecs: noAnswer.timeoutSecs, flow: callFlowToProto(noAnswer.flow, details) },
        }),
        ...(announcement !== null && { recordingAnnouncement: { text: announcement, ...audioOf(announcement) } }),
        positionPrompts: places.map((text) => ({ text, ...audioOf(text) })),
        ...(offer !== undefined && { callbackPrompt: { text: offer, ...audioOf(offer) } }),
      };
    },
    getNumber: async ({ id }) => withAnnouncement(deps, await numbers.acrossCompanies.get(id)),
    getNumberByE164: async ({ number }) => withAnnouncement(deps, await numbers.byE164(number)),
    async getKeyPrompt({ id }) {
      const number = await numbers.acrossCompanies.get(id);
      if (!number) throw new Refused(notFound);
      const text = keyPromptText(number);
      const audioOf = await promptAudioViews(deps, number, [promptOf(number, text)]);
      return { prompt: { text, ...audioOf(text) } };
    },
    async *listNumbers({ companyId, ids }) {
      if (ids.length > IDS_MAX) throw new Refused(invalid({ ids: [`must have at most ${IDS_MAX} items`] }));
      const filter = ids.length > 0 ? { id: { $in: ids } } : {};
      const missing = new Set(ids);
      for await (const chunk of numbers.of(companyId).findInChunks(filter, OLDEST_FIRST)) {
        for (const { id } of chunk) missing.delete(id);
        yield { numbers: chunk.map(snapshotToProto) };
      }
      // One that is being released meanwhile is kept before it is removed, so it is found in one of the two.
      const had = missing.size > 0 ? await released.find(companyId, [...missing]) : [];
      if (had.length > 0) yield { numbers: had.map(releasedToProto) };
    },
    async getTexting({ key, at }) {
      const number = await findByKey(numbers, key);
      if (!number) throw new Refused(notFound);
      const instant = at ? timestampDate(at) : clock.now();
      return {
        number: snapshotToProto(number),
        settings: textingSettingsToProto(number),
        withinBusinessHours: openingAt(number, instant).open,
      };
    },
    listNumbersTargeting: async ({ companyId, employeeId }) => ({
      numbers: await numbersTargeting(deps, companyId, employeeId),
    }),
    listNumbersWithAssistant: async ({ companyId, assistantId }) => ({
      numbers: await numbersWithAssistant(deps, companyId, assistantId),
    }),
  });
}

/** The fields that the company keeps in its history. */
function releasedToProto({ id, companyId, name, number, numberFormatted }: ReleasedNumber) {
  return { id, companyId, name, number, numberFormatted, active: false };
}

async function withAnnouncement(deps: RoutingDeps, number: BusinessNumber | undefined) {
  if (!number) throw new Refused(notFound);
  const text = announcementOf(number);
  if (text === null) return { number: snapshotToProto(number) };
  const audioOf = await promptAudioViews(deps, number, [promptOf(number, text)]);
  return { number: snapshotToProto(number), recordingAnnouncement: { text, ...audioOf(text) } };
}

async function findByKey(numbers: BusinessNumbers, key: GetTextingRequest['key']) {
  switch (key.case) {
    case 'id':
      return numbers.acrossCompanies.get(key.value);
    case 'number':
      return numbers.byE164(key.value);
    case undefined:
      return undefined;
  }
}

/** Changes in progress are read first: one that commits in between is then found among the numbers. */
async function numbersTargeting({ assignments, numbers }: RoutingDeps, companyId: string, employeeId: string) {
  const pending = new Map((await assignments.pending(companyId, { employeeId })).map((number) => [number.id, number]));
  const targeting = await Array.fromAsync(numbers.of(companyId).find({ targetIds: employeeId }, OLDEST_FIRST));
  const found = targeting.map((number) => ({
    id: number.id,
    name: number.name,
    incomingCallEmployeeIds: neededEmployees(number),
    inUseBy: ROUTING_SLOTS.filter((slot) => employeesOf(flowIn(number, slot)).includes(employeeId)).map(slotToProto),
    assignmentPending: pending.delete(number.id),
  }));
  const announced = [...pending.values()].map(({ id, name }) => ({ id, name, assignmentPending: true }));
  return [...found, ...announced];
}

/** Whom callers depend on: an inactive number rings nobody, and an assistant answers whether or not somebody is available. */
function neededEmployees({ active, incomingCallConfig }: BusinessNumber): string[] {
  return active && incomingCallConfig.type !== 'AssistantConfig' ? [...employeesOf(incomingCallConfig)] : [];
}

/** The same order of reading as above. */
async function numbersWithAssistant({ assignments, numbers }: RoutingDeps, companyId: string, assistantId: string) {
  const pending = await assignments.pending(companyId, { assistantId });
  const found = await Array.fromAsync(numbers.of(companyId).find({ assistantIds: assistantId }, OLDEST_FIRST));
  const names = new Map([...found, ...pending].map(({ id, name }) => [id, name]));
  return [...names].map(([id, name]) => ({ id, name }));
}
