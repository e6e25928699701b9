import { systemClock } from '@parley/clock';
import { invalid, notFound, type Refusal, refusal, Refused } from '@parley/errors';
import {
  AssistantEngine,
  AssistantReferenceService,
  AssistantService,
  EndpointSource,
} from '@parley/proto/assistant/v1/assistants_pb';
import { employees, type EmployeePrincipal, type Handler, type RpcServer, services } from '@parley/rpc';
import { newId } from '@parley/secrets';
import type { Endpoints } from '../endpoint/endpoint-store.ts';
import type { ServiceContext } from '../service-context.ts';
import {
  type Assistant,
  beginDeletion,
  cancelDeletion,
  createAssistant,
  deleteAssistant,
  isBeingDeleted,
  updateAssistant,
} from './assistant.ts';
import { assistantFacts } from './assistant-facts.ts';
import { assistantToProto, changeFromProto } from './assistant-proto.ts';
import type { Assistants } from './assistant-store.ts';

type Deps = ServiceContext & { readonly assistants: Assistants; readonly endpoints: Endpoints };

const IDS_MAX = 100;
/** Longer than a deletion takes; what is older was left by a crash. */
const LEAVING_MS = 60_000;

/** Every RPC of the contract. */
export function addAssistantServices(server: RpcServer, deps: Deps): void {
  const { assistants, endpoints, speech, tick } = deps;
  const [members, admins] = [employees.withRole('member'), employees.withRole('admin')];
  const accessRules = {
    listAssistants: members,
    getAssistant: members,
    getAssistantOptions: members,
    createAssistant: admins,
    updateAssistant: admins,
    deleteAssistant: admins,
  };
  server.add(AssistantService, accessRules, {
    async listAssistants(_request, { principal: { companyId } }) {
      return { assistants: (await assistants.list(companyId)).map(assistantToProto) };
    },
    async getAssistant({ id }, { principal: { companyId } }) {
      const assistant = await assistants.get(companyId, id);
      if (!assistant) throw new Refused(notFound);
      return { assistant: assistantToProto(assistant) };
    },
    async createAssistant(request, { principal: { companyId } }) {
      const fields = changeFromProto(request.fields);
      const facts = await assistantFacts(deps, companyId, fields);
      const identity = { id: newId('ast'), companyId, createdOrder: tick() };
      const created = await assistants.create(companyId, (slot) =>
        createAssistant({ ...identity, slot }, fields, facts),
      );
      return { assistant: assistantToProto(await withoutRemoved(deps, created)) };
    },
    async updateAssistant({ id, fields }, { principal: { companyId } }) {
      const own = assistants.of(companyId);
      if (!(await own.get(id))) throw new Refused(notFound);
      const change = changeFromProto(fields);
      const facts = await assistantFacts(deps, companyId, change);
      const updated = await own.change(id, (current) => updateAssistant(current, change, facts));
      return { assistant: assistantToProto(change.transferTargets ? await withoutRemoved(deps, updated) : updated) };
    },
    deleteAssistant: deleteAssistantRpc(deps),
    async getAssistantOptions(_request, { principal: { companyId } }) {
      const [{ languages, voices }, { source, model }] = await Promise.all([
        speech.options(),
        endpoints.configured(companyId),
      ]);
      return {
        languages: [...languages],
        voices: [...voices],
        endpointSource: SOURCES[source],
        ...(model !== null && { endpointModel: model }),
      };
    },
  });
  addAssistantReferenceService(server, deps);
}

const SOURCES = {
  none: EndpointSource.NONE,
  company: EndpointSource.COMPANY,
  operator: EndpointSource.OPERATOR,
} as const;

function addAssistantReferenceService(server: RpcServer, { assistants, endpoints }: Deps): void {
  server.add(AssistantReferenceService, services('numbers-routing', 'call-control'), {
    async lookUpAssistants({ companyId, ids }) {
      if (ids.length > IDS_MAX) throw new Refused(invalid({ ids: [`must have at most ${IDS_MAX} items`] }));
      const [own, inUse] = await Promise.all([assistants.list(companyId), endpoints.inUse(companyId)]);
      const byId = new Map(own.map((assistant) => [assistant.id, assistant]));
      const now = systemClock.now();
      return {
        assistants: ids.flatMap((id) => {
          const assistant = byId.get(id);
          if (!assistant) return [];
          const { name, active, engine, language } = assistant;
          const engineInUse = engine === 'auto' && inUse ? AssistantEngine.ENDPOINT : AssistantEngine.EMBEDDED;
          return [{ id, name, active, language, engineInUse, beingDeleted: isBeingDeleted(assistant, now) }];
        }),
      };
    },
  });
}

/**
 * Somebody whom the change names may have been removed since the check, and the follower that takes them out may have looked before
 * the change was stored: whichever of the two comes second finds it.
 */
async function withoutRemoved({ assistants, directory }: Deps, assistant: Assistant): Promise<Assistant> {
  const { id, companyId, targetIds } = assistant;
  const removed = await directory.removedEmployees(companyId, targetIds);
  for (const employeeId of removed) await assistants.removeEmployee(companyId, employeeId);
  return removed.length > 0 ? ((await assistants.get(companyId, id)) ?? assistant) : assistant;
}

/**
 * A number must never have a deleted assistant answer. First the assistant is marked: from then on numbers cannot choose it. Only then is
 * numbers-routing asked, which counts changes in progress as in use. The first of the two wins, and the other is refused. A mark left by a
 * crash expires.
 */
const deleteAssistantRpc =
  ({ assistants, numbers }: Deps): Handler<typeof AssistantService.method.deleteAssistant, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId } }) => {
    const own = assistants.of(companyId);
    const until = new Date(systemClock.now().getTime() + LEAVING_MS);
    await own.change(id, (current) => beginDeletion(current, until));
    try {
      const using = await numbers.withAssistant(companyId, id);
      if (using.length > 0) throw new Refused(inUse(using));
      await own.change(id, (current) => deleteAssistant(current, systemClock.now()));
    } catch (error) {
      await own.changeIfExists(id, cancelDeletion).catch(() => undefined);
      throw error;
    }
    return {};
  };

function inUse(numbers: readonly { id: string; name: string }[]): Refusal {
  return refusal('assistant_in_use', 'numbers have the assistant answer', { extra: { main_numbers: numbers } });
}
