import type { Heard, Leg } from './sandbox-client.ts';

const STATES: Readonly<Record<Leg['state'], string>> = {
  dialing: 'Dialling',
  ringing: 'Ringing',
  connected: 'Connected',
  on_hold: 'On hold',
  ended: 'Ended',
};

export function stateText({ state, hangup_cause: cause }: Pick<Leg, 'state' | 'hangup_cause'>): string {
  const words = cause?.toLowerCase().replaceAll('_', ' ');
  return words === undefined ? STATES[state] : `${STATES[state]} (${words})`;
}

export function heardText(heard: Heard): string {
  switch (heard.kind) {
    case 'speech':
      return `“${heard.text}”`;
    case 'ringtone':
      return 'Ringing tone';
    case 'music':
      return 'Music';
    case 'beep':
      return 'Beep';
    case 'party':
      return 'Connected with a person';
  }
}
