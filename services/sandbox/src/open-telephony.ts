import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MovableClock } from '@parley/clock';
import type { Endpoint } from '@parley/http';
import { PhoneRegistrationService } from '@parley/proto/call_control/v1/presence_pb';
import { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { openPeers, type ServiceRuntime } from '@parley/service';
import { type Config, hostAndPort } from './config.ts';
import type { FaultSwitches } from './faults/faults.ts';
import { legEndpoints } from './calls/leg-endpoints.ts';
import { microphoneEndpoints } from './microphones/microphone-endpoints.ts';
import { speechEndpoints } from './calls/speech-endpoints.ts';
import { BrowserPhones } from './browser-phones/browser-phones.ts';
import { phoneDirectory } from './browser-phones/phone-directory.ts';
import { directoryEmployees, phonePresence, Softphones } from './phones/softphones.ts';
import { phoneEndpoints } from './phones/phone-endpoints.ts';
import { TelephoneNetwork } from './telephony/telephone-network.ts';
import { noVoice, speechServiceVoice } from './telephony/voice.ts';

export interface Telephony {
  readonly network: TelephoneNetwork;
  readonly endpoints: readonly Endpoint<undefined>[];
  /** Undefined without call-control's directory, because browsers could not be authenticated. */
  readonly browserPhones: BrowserPhones | undefined;
}

export interface TelephonyOptions {
  runtime: ServiceRuntime;
  config: Config;
  clock: MovableClock;
  faults: FaultSwitches;
}

/** Starts the telephone network where the settings name its event socket. */
export async function openTelephony({
  runtime,
  config,
  clock,
  faults,
}: TelephonyOptions): Promise<Telephony | undefined> {
  const { EVENT_SOCKET_LISTEN, EVENT_SOCKET_PASSWORD, SWITCH_HTTP_URL, SWITCH_HTTP_CREDENTIALS } = config;
  if (EVENT_SOCKET_LISTEN === undefined || EVENT_SOCKET_PASSWORD === undefined) return undefined;
  const { lifecycle } = runtime;
  const switchHttp =
    SWITCH_HTTP_URL !== undefined && SWITCH_HTTP_CREDENTIALS !== undefined
      ? { url: SWITCH_HTTP_URL, credentials: SWITCH_HTTP_CREDENTIALS }
      : undefined;
  const network = new TelephoneNetwork({
    clock,
    ...hostAndPort(EVENT_SOCKET_LISTEN),
    credentials: { user: config.EVENT_SOCKET_USER, password: EVENT_SOCKET_PASSWORD },
    mediaSpeed: config.SANDBOX_MEDIA_SPEED,
    folder: config.SWITCH_FILES_DIR ?? (await scratchFolder(runtime)),
    switchHttp,
    sip: { listen: config.SWITCH_SIP_LISTEN },
  });
  await network.start();
  lifecycle.defer('telephone network', () => network.stop());
  faults.onChange((changed) => network.setCondition(changed.switch));
  const domain = config.SIP_DOMAIN;
  const browserPhones =
    switchHttp &&
    new BrowserPhones({
      network,
      directory: phoneDirectory({ ...switchHttp, domain }),
      domain,
      log: runtime.telemetry.log,
    });
  if (browserPhones) lifecycle.defer('browser phones', () => browserPhones.stop());
  const peers = openRemotes(runtime, config);
  const voice = peers?.voice ?? noVoice;
  const endpoints = [
    ...legEndpoints({ network, recognise: voice.recognise }),
    ...speechEndpoints({ network, voice }),
    ...microphoneEndpoints({ network }),
  ];
  if (!peers) return { network, endpoints, browserPhones };
  const softphones = new Softphones({ network, sipDomain: domain });
  lifecycle.defer('softphones', () => softphones.stop());
  return { network, endpoints: [...endpoints, ...phoneEndpoints({ network, softphones, ...peers })], browserPhones };
}

/** The services behind softphones and voices. */
function openRemotes(runtime: ServiceRuntime, config: Config) {
  const { SIGNING_KEY, TRUSTED_KEYS = {}, CALL_CONTROL_ADDRESS, DIRECTORY_ADDRESS, SPEECH_ADDRESS } = config;
  if (!SIGNING_KEY || !CALL_CONTROL_ADDRESS || !DIRECTORY_ADDRESS) return undefined;
  const peers = openPeers(runtime, { ...config, SIGNING_KEY, TRUSTED_KEYS });
  return {
    employees: directoryEmployees(peers.connect(DIRECTORY_ADDRESS).client(EmployeeLookupService)),
    presence: phonePresence(peers.connect(CALL_CONTROL_ADDRESS).client(PhoneRegistrationService)),
    voice: SPEECH_ADDRESS === undefined ? undefined : speechServiceVoice(peers.connect(SPEECH_ADDRESS)),
  };
}

async function scratchFolder({ lifecycle }: ServiceRuntime): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-switch-'));
  lifecycle.defer('files of the switch', () => rm(folder, { recursive: true, force: true }));
  return folder;
}
