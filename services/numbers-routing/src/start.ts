import { cachedAnswers } from '@parley/events';
import { microsecondTicker, trackBackgroundWork } from '@parley/clock';
import { addPersonalDataService, companyErasure } from '@parley/personal-data';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { openRollingLimit, openUsageQuota, startExpirySweep, startSweep } from '@parley/mongo';
import { assistantClient } from './assistants/assistant-client.ts';
import { openAssignments } from './assignments/assignment-store.ts';
import { addClosureRpcs } from './closures/closure-rpcs.ts';
import type { Config } from './config.ts';
import { directoryClient } from './directory/directory-client.ts';
import { completeNumbers, migrations } from './migrations.ts';
import { addHolidayRpcs, openHolidays } from './holidays/holidays.ts';
import { openBusinessNumbers } from './numbers/business-number-store.ts';
import { openReleasedNumbers } from './numbers/released-number-store.ts';
import { addBusinessNumberRpcs } from './numbers/business-number-rpcs.ts';
import { addPhraseAudioRpcs } from './prompt-audio/phrase-audio-rpcs.ts';
import { openPhraseSets } from './prompt-audio/phrase-set-store.ts';
import { addPromptAudioRpcs } from './prompt-audio/prompt-audio-rpcs.ts';
import { addPromptContentRpcs } from './prompt-audio/prompt-content-rpcs.ts';
import { openPromptAudios } from './prompt-audio/prompt-audio-store.ts';
import { startPromptAudioWork } from './prompt-audio/prompt-audio-worker.ts';
import { audioSigner } from './prompt-audio/signed-audio.ts';
import { speechClient } from './prompt-audio/speech-client.ts';
import { addRoutingRpcs } from './routing/routing-rpcs.ts';
import { addScheduleService } from './routing/schedule-rpcs.ts';
import { addTextingSettingsRpcs } from './texting-settings/texting-settings-rpcs.ts';
import {
  addVoicePreviewRpcs,
  PREVIEW_CHARACTERS_PER_MINUTE,
  PREVIEWS_PER_MINUTE,
} from './voice-previews/voice-preview-rpcs.ts';

export const SERVICE = 'numbers-routing';

const MINUTE_MS = 60_000;
/** While the last release runs beside this version, a number that it makes takes calls after this time. */
const COMPLETE_EVERY_MS = 5_000;
const HOUR_MS = 60 * MINUTE_MS;

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      peers: {
        assistant: config.ASSISTANT_ADDRESS,
        directory: config.DIRECTORY_ADDRESS,
        speech: config.SPEECH_ADDRESS,
      },
      migrations,
    },
    config,
    lifecycle,
  );
  const { backgroundWork, broker, clock, db, peers, relay } = service;
  const { log } = service.telemetry;
  const directory = directoryClient(peers.directory);
  const answers = await cachedAnswers(broker, { events: ['assistant.assistant.*'], cachedMs: config.PEER_CACHE_MS });
  const assistants = assistantClient(peers.assistant, answers, log);
  const synthesizer = speechClient(peers.speech);
  const signer = audioSigner(config.ENCRYPTION_KEY, config.PUBLIC_URL);

  const numbers = await openBusinessNumbers(db, relay, clock);
  const released = await openReleasedNumbers(db);
  const assignments = await openAssignments(db, backgroundWork, log);
  service.stopLater('assignments', assignments);
  const audios = await openPromptAudios(db, clock);
  const phraseSets = await openPhraseSets(db);
  const limit = await openRollingLimit({
    db,
    collection: 'voice_preview_limits',
    max: PREVIEWS_PER_MINUTE,
    windowMs: MINUTE_MS,
    clock,
  });
  const previewCharacters = await openUsageQuota({
    db,
    collection: 'voice_preview_characters',
    max: PREVIEW_CHARACTERS_PER_MINUTE,
    windowMs: MINUTE_MS,
    clock,
  });
  const promptCharacters = await openUsageQuota({
    db,
    collection: 'prompt_characters',
    max: config.PROMPT_CHARACTERS_PER_HOUR,
    windowMs: HOUR_MS,
    clock,
  });
  const sweeping = { everyMs: 10 * MINUTE_MS, backgroundWork, log };
  const sweeps = [
    startExpirySweep({ ...limit, ...sweeping }),
    startExpirySweep({ ...previewCharacters, ...sweeping }),
    startExpirySweep({ ...promptCharacters, ...sweeping }),
    startSweep({
      ...sweeping,
      everyMs: COMPLETE_EVERY_MS,
      name: 'numbers of the last release',
      sweep: () => completeNumbers(db),
    }),
  ];
  lifecycle.defer('sweeps', async () => void (await Promise.all(sweeps.map((sweep) => sweep.stop()))));

  const promptWork = startPromptAudioWork({
    audios,
    synthesizePrompt: synthesizer.synthesizePrompt,
    isNeeded: async (key) => (await numbers.anyUsesPrompt(key)) || phraseSets.anyUses(key),
    quota: promptCharacters,
    clock,
    // Not counted as work that a move of the test clock waits for: generating speech may take longer than phones ring.
    backgroundWork: trackBackgroundWork(),
    log,
  });
  service.stopLater('prompt audio', promptWork);

  const calendars = openHolidays();
  service.stopLater('holidays', calendars);
  const view = { directory, assistants, audios, signer };
  await service.serve((server) => {
    addBusinessNumberRpcs(server, { ...view, numbers, released, assignments, clock, tick: microsecondTicker(clock) });
    addRoutingRpcs(server, { ...view, numbers, released, assignments, clock });
    addScheduleService(server, numbers);
    addClosureRpcs(server, { numbers, clock });
    addHolidayRpcs(server, calendars);
    // Audio is shared by equal prompts of several companies, and expires when nobody uses it.
    addPersonalDataService(server, {
      eraseCompany: companyErasure({ db, removal: relay.removal, except: ['prompts'] }),
    });
    addTextingSettingsRpcs(server, { numbers, directory, clock });
    addVoicePreviewRpcs(server, {
      numbers,
      audios,
      signer,
      synthesizer,
      limit,
      characters: previewCharacters,
      clock,
      log,
    });
    addPromptAudioRpcs(server, { audios, signer, clock });
    addPromptContentRpcs(server, { audios, synthesizer, clock, log });
    addPhraseAudioRpcs(server, { audios, phraseSets, directory, signer, synthesizer, clock, log });
  });
}
