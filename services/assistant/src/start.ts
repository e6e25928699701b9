import { encryptionContexts } from './encryption-contexts.ts';
import {
  addPersonalDataService,
  companyErasure,
  erasureOf,
  eventSteps,
  type ExportPerson,
  followRetention,
} from '@parley/personal-data';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { addAssistantServices } from './assistants/assistant-rpcs.ts';
import { openAssistants } from './assistants/assistant-store.ts';
import type { Config } from './config.ts';
import { addAssistantEndpointService } from './endpoint/endpoint-rpcs.ts';
import { openEndpoints } from './endpoint/endpoint-store.ts';
import { openModels } from './endpoint-engine/open-models.ts';
import { testEndpoint } from './endpoint-engine/test-endpoint.ts';
import { followEmployees } from './followers/follow-employees.ts';
import { followPhrases } from './followers/follow-phrases.ts';
import { addKnowledgeService } from './knowledge/knowledge-rpcs.ts';
import { openKnowledge } from './knowledge/knowledge-store.ts';
import { migrations } from './migrations.ts';
import { erasureSteps, exportPerson, retentionSteps } from './personal-data/personal-data.ts';
import { openServiceContext } from './service-context.ts';
import { startExpectingCallers } from './running/expect-callers.ts';
import { sessionParts } from './running/open-parts.ts';
import { sessionErasure, sessionExport, sessionRetention } from './sessions/session-data.ts';
import { startSessions } from './start-sessions.ts';
import { openUnansweredQuestions } from './unanswered-questions/unanswered-question-store.ts';

export const SERVICE = 'assistant';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      migrations,
      encrypted: { keys: config.ENCRYPTION_KEY, contextsOf: encryptionContexts },
      peers: {
        directory: config.DIRECTORY_ADDRESS,
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
        callControl: config.CALL_CONTROL_ADDRESS,
        messagingInbox: config.MESSAGING_INBOX_ADDRESS,
        speech: config.SPEECH_ADDRESS,
      },
    },
    config,
    lifecycle,
  );
  const context = openServiceContext(service, config);
  const assistants = await openAssistants(context);
  const knowledge = await openKnowledge(context);
  const questions = await openUnansweredQuestions(context);
  const endpoints = await openEndpoints(context);

  const models = openModels(config, lifecycle);
  const parts = sessionParts(context, { assistants, knowledge, questions, endpoints, models });
  const sessions = await startSessions(context, parts);

  const { db, relay } = service;
  await followEmployees(service, assistants);
  await followPhrases(context, { assistants, knowledge, engine: parts.engine });
  context.stopLater(
    'expecting callers',
    startExpectingCallers({ assistants, speech: context.speech, log: context.telemetry.log }),
  );
  await followRetention(service, [...retentionSteps({ questions }), ...sessionRetention(sessions)]);
  await service.serve((server) => {
    addAssistantServices(server, { ...context, assistants, endpoints });
    addKnowledgeService(server, { ...context, knowledge, questions });
    addAssistantEndpointService(server, {
      ...context,
      endpoints,
      testEndpoint: (endpoint) => testEndpoint(models, endpoint),
    });
    sessions.addServices(server);
    addPersonalDataService(server, {
      erase: erasureOf([
        ...erasureSteps({ questions }),
        sessionErasure(sessions),
        ...eventSteps({ db, removal: relay.removal, keeps: async () => true }),
      ]),
      exportPerson: exportsOf([exportPerson({ questions }), sessionExport(sessions)]),
      eraseCompany: companyErasure({ db, removal: relay.removal }),
    });
  });
}

/** The files of each, one after the other. */
const exportsOf = (exports: readonly ExportPerson[]): ExportPerson =>
  async function* (person) {
    for (const files of exports) yield* files(person);
  };
