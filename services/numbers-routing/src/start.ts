import { microsecondTicker } from '@parley/clock';
import { startRelay } from '@parley/outbox';
import { type Life, openBasis, openBroker, openDatabase, openPeers, serveGrpc } from '@parley/service';
import { openRollingLimit, startExpirySweep } from '@parley/store';
import { openAssignments } from './assignments/assignment-store.ts';
import type { Config } from './config.ts';
import { directoryClient } from './directory/directory-client.ts';
import { openBusinessNumbers } from './numbers/business-number-store.ts';
import { addNumberServices } from './numbers/numbers-service.ts';
import { addPromptAudioService } from './prompt-audio/prompt-audio-service.ts';
import { openPromptAudios } from './prompt-audio/prompt-audio-store.ts';
import { startPromptAudioWork } from './prompt-audio/prompt-audio-worker.ts';
import { audioSigner } from './prompt-audio/signed-audio.ts';
import { speechClient } from './prompt-audio/speech-client.ts';
import { addRoutingServices } from './routing/routing-service.ts';
import { addTextingSettingsService } from './texting-settings/texting-settings-service.ts';
import { PREVIEWS_PER_MINUTE } from './voice-previews/voice-preview.ts';
import { addVoicePreviewService } from './voice-previews/voice-previews-service.ts';

export const SERVICE = 'numbers-routing';

const MINUTE_MS = 60_000;

export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  const { activity, clock, telemetry } = basis;
  const { log } = telemetry;
  const db = await openDatabase(basis, config);
  const broker = await openBroker(basis, config);
  const relay = await startRelay({ service: SERVICE, db, broker, activity, telemetry });
  life.defer('relay', () => relay.stop());
  const peers = openPeers(basis, config);
  const directory = directoryClient(peers.connect(config.DIRECTORY_ADDRESS));
  const speaker = speechClient(peers.connect(config.SPEECH_ADDRESS));
  const signer = audioSigner(config.ENCRYPTION_KEY, config.PUBLIC_URL);

  const numbers = await openBusinessNumbers(db, relay, clock);
  const assignments = await openAssignments(db, activity, log);
  life.defer('assignments', () => assignments.stop());
  const audios = await openPromptAudios(db, clock);
  const limit = await openRollingLimit({
    db,
    collection: 'voice_preview_limits',
    max: PREVIEWS_PER_MINUTE,
    windowMs: MINUTE_MS,
    clock,
  });
  const forgetting = startExpirySweep({ ...limit, everyMs: 10 * MINUTE_MS, activity, log });
  life.defer('voice preview limits', () => forgetting.stop());

  const isNeeded = numbers.anySays;
  const speaking = startPromptAudioWork({ audios, speak: speaker.speak, isNeeded, clock, activity, log });
  life.defer('prompt audio', () => speaking.stop());

  const view = { directory, audios, signer };
  await serveGrpc(basis, config, (server) => {
    addNumberServices(server, { ...view, numbers, assignments, clock, tick: microsecondTicker(clock) });
    addRoutingServices(server, { ...view, numbers, assignments, clock });
    addTextingSettingsService(server, { numbers, directory, clock });
    addVoicePreviewService(server, { numbers, audios, signer, speaker, limit, clock, log });
    addPromptAudioService(server, { audios, signer, clock });
  });
}
