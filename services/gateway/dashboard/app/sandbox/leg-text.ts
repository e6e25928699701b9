import { t } from '../i18n/translate.ts';
import type { Heard, Leg } from './sandbox-client.ts';

export function stateText({ state }: Pick<Leg, 'state'>): string {
  return {
    dialing: t('Dialling'),
    ringing: t('Ringing'),
    connected: t('Connected'),
    on_hold: t('On hold'),
    ended: t('Ended'),
  }[state];
}

export function heardText(heard: Heard): string {
  switch (heard.kind) {
    case 'speech':
      return `“${heard.text}”`;
    case 'ringtone':
      return t('Ringing tone');
    case 'music':
      return t('Music');
    case 'beep':
      return t('Beep');
    case 'party':
      return t('Connected with a person');
  }
}
