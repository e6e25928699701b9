import { t } from '../i18n/translate.ts';
import type { Heard, Leg } from './sandbox-client.ts';

export function stateText({ state }: Pick<Leg, 'state'>): string {
  switch (state) {
    case 'dialing':
      return t('Dialling');
    case 'ringing':
      return t('Ringing');
    case 'connected':
      return t('Connected');
    case 'on_hold':
      return t('On hold');
    case 'ended':
      return t('Ended');
  }
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
