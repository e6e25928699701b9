import type { Check } from '../check.ts';
import { channelChecks } from './channels.ts';
import { eventChannelChecks } from './events.ts';
import { protocolChecks } from './protocol.ts';

export const liveChannelChecks: readonly Check[] = [...protocolChecks, ...channelChecks, ...eventChannelChecks];
