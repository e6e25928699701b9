import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, at, ok } from '../api/client.ts';
import type { VoicemailItem as Voicemail } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { AudioPlayer } from '../ui/audio-player.tsx';
import { isSafeUrl } from '../ui/safe-url.ts';
import { Time } from '../ui/time.tsx';
import { refreshActivity } from './activity-queries.ts';
import { voicemailWords } from './activity-texts.ts';
import styles from './voicemail-item.module.css';

export function VoicemailItem({ voicemail, phoneNumber }: { voicemail: Voicemail; phoneNumber: string }): ReactNode {
  const { call_id: callId, recording_url: url, transcription } = voicemail;
  const words = voicemailWords(voicemail);
  return (
    <li className={styles['voicemail']}>
      {url !== null && isSafeUrl(url) ? (
        <Player voicemail={voicemail} url={url} phoneNumber={phoneNumber} />
      ) : (
        <p className={styles['meta']}>{t('The recording is being processed.')}</p>
      )}
      {transcription ? (
        <p className={styles['words']} dir="auto">
          {transcription}
        </p>
      ) : (
        <p className={styles['meta']}>
          {transcription === null ? t('Its text is on its way.') : t('No words were recognised.')}
        </p>
      )}
      <p className={styles['meta']}>
        {callId === null ? words : <Link href={`~/dashboard/calls/${encodeURIComponent(callId)}`}>{words}</Link>} ·{' '}
        <Time at={voicemail.created_at} onlyTime />
        {voicemail.business_number_name && (
          <>
            {' '}
            · <bdi>{voicemail.business_number_name}</bdi>
          </>
        )}
      </p>
    </li>
  );
}

function Player(props: { voicemail: Voicemail; url: string; phoneNumber: string }): ReactNode {
  const { voicemail, url, phoneNumber } = props;
  // Every read of the activity signs another address: the player keeps its own until that has expired.
  const [playing, setPlaying] = useState(url);
  async function markAsListened(): Promise<void> {
    if (voicemail.listened) return;
    // Listening goes on if this fails; the next time it is played it is tried again.
    await ok(api.PATCH('/api/v1/voicemails/{id}', { ...at(voicemail.id), body: { listened: true } })).catch(
      () => undefined,
    );
    await refreshActivity(phoneNumber);
  }
  return (
    <AudioPlayer
      label={t('Voicemail')}
      src={playing}
      length={voicemail.duration}
      onPlay={() => void markAsListened()}
      onError={() => (playing === url ? void refreshActivity(phoneNumber) : setPlaying(url))}
    />
  );
}
