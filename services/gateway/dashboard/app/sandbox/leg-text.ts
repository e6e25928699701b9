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
  if (heard.kind === 'voice') return heard.text === null ? t('A voice') : `“${heard.text}”`;
  if (heard.kind === 'speech') return `“${heard.text}”`;
  return {
    ringtone: t('Ringing tone'),
    music: t('Music'),
    beep: t('Beep'),
    party: t('Connected with a person'),
  }[heard.kind];
}
