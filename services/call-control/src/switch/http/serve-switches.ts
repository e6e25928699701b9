import type { ServiceRuntime } from '@parley/service';
import type { SwitchSettings } from '../connection/switch-settings.ts';
import type { PromptAudio } from './prompt-client.ts';
import { receiveRecording } from './receive-recording.ts';
import { startSwitchHttp } from './start-switch-http.ts';

/** Starts the HTTP interface for switches, until the service stops. */
export async function serveSwitches(
  { lifecycle, telemetry }: ServiceRuntime,
  { listen, switches }: { listen: string; switches: readonly SwitchSettings[] },
  deps: Omit<Parameters<typeof receiveRecording>[0], 'onRefused'> & {
    /** Answers `POST /switch/directory`. */
    switchDirectory: (form: string) => Promise<string>;
    prompts: PromptAudio;
  },
): Promise<void> {
  const { switchDirectory: directory, prompts } = deps;
  const refused = telemetry.meter.createCounter('parley_recordings_refused_total');
  const recordings = receiveRecording({ ...deps, onRefused: (status) => refused.add(1, { status }) });
  const secrets = new Map(switches.map(({ name, httpSecret }) => [name, httpSecret]));
  const http = await startSwitchHttp({ listen, secrets, directory, prompts, recordings, log: telemetry.log });
  lifecycle.listening('switches', listen);
  lifecycle.defer('http for switches', () => http.stop());
}
