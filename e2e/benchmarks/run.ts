// `npm run bench -- all`, or `npm run bench -- get-contact`: prints ratios against a baseline measured in the same run. `all` are
// those that take minutes, without those that take longer (`LONG`), which are named.
import { benchmarkAssistant } from './assistant.ts';
import { benchmarkAtRest } from './at-rest.ts';
import { benchmarkCapacity } from './capacity.ts';
import { benchmarkCallLists } from './call-lists.ts';
import { benchmarkCallControlAlone, benchmarkCallSetUps } from './call-set-ups.ts';
import { benchmarkContactSearch } from './contact-search.ts';
import { benchmarkDashboard } from './dashboard.ts';
import { benchmarkEventLog } from './event-log/event-log.ts';
import { benchmarkFlowFiles } from './flow-files.ts';
import { benchmarkGetContact } from './get-contact.ts';
import { benchmarkHistory } from './history.ts';
import { benchmarkInboxPage } from './inbox-page.ts';
import { benchmarkInbox } from './inbox.ts';
import { benchmarkListening } from './listening.ts';
import { benchmarkLongLists } from './long-lists.ts';
import { benchmarkPatchContact } from './patch-contact.ts';
import { benchmarkReceiveMessage } from './receive-message.ts';
import { benchmarkRefreshToken } from './refresh-token.ts';
import { benchmarkReports } from './reports.ts';
import { benchmarkSendMessage } from './send-message.ts';
import { printTable } from './measuring.ts';
import { benchmarkTranscription } from './transcription.ts';
import { benchmarkVoicePreviews } from './voice-previews.ts';
import { benchmarkWebhooksSoak } from './webhooks-soak.ts';
import { benchmarkWebhooks } from './webhooks.ts';

const benchmarks: Record<string, () => Promise<void>> = {
  assistant: benchmarkAssistant,
  'at-rest': benchmarkAtRest,
  'call-control-alone': benchmarkCallControlAlone,
  'call-lists': benchmarkCallLists,
  'call-set-ups': benchmarkCallSetUps,
  capacity: benchmarkCapacity,
  'contact-search': benchmarkContactSearch,
  dashboard: benchmarkDashboard,
  'event-log': benchmarkEventLog,
  'flow-files': benchmarkFlowFiles,
  'get-contact': benchmarkGetContact,
  history: benchmarkHistory,
  inbox: benchmarkInbox,
  'inbox-page': benchmarkInboxPage,
  listening: benchmarkListening,
  'long-lists': benchmarkLongLists,
  'patch-contact': benchmarkPatchContact,
  'receive-message': benchmarkReceiveMessage,
  'refresh-token': benchmarkRefreshToken,
  reports: benchmarkReports,
  'send-message': benchmarkSendMessage,
  transcription: benchmarkTranscription,
  'voice-previews': benchmarkVoicePreviews,
  webhooks: benchmarkWebhooks,
  'webhooks-soak': benchmarkWebhooksSoak,
};

const LONG: ReadonlySet<string> = new Set(['capacity', 'event-log', 'history', 'webhooks-soak']);

const named = process.argv.slice(2);
const isAll = named.length === 0 || named.includes('all');
const chosen = isAll ? Object.keys(benchmarks).filter((name) => !LONG.has(name)) : named;
const unknown = chosen.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}`);
  process.exit(1);
}
for (const name of chosen) {
  console.log(`— ${name}`);
  await benchmarks[name]?.();
}
printTable();
// Connections that are kept alive would delay the end.
process.exit();
