import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, ok } from '../api/client.ts';
import type { VoicemailItem as Voicemail } from '../api/schema.d.ts';
import { isSafeUrl } from '../ui/safe-url.ts';
import { refreshActivity } from './activity-queries.ts';
import { voicemailWords } from './activity-texts.ts';

export function VoicemailItem({ voicemail, phoneNumber }: { voicemail: Voicemail; phoneNumber: string }): ReactNode {
  const { call_id: callId, recording_url: url, transcription } = voicemail;
  const words = voicemailWords(voicemail);
  return (
    <>
      <p className="item-head">
        {callId === null ? words : <Link href={`~/dashboard/calls/${encodeURIComponent(callId)}`}>{words}</Link>}
      </p>
      {url !== null && isSafeUrl(url) ? (
        <Player voicemail={voicemail} url={url} phoneNumber={phoneNumber} />
      ) : (
        <p className="soft">The recording is being processed.</p>
      )}
      {transcription ? (
        <p className="item-text">{transcription}</p>
      ) : (
        <p className="soft">{transcription === null ? 'Not transcribed yet.' : 'No words were recognised.'}</p>
      )}
    </>
  );
}

function Player(props: { voicemail: Voicemail; url: string; phoneNumber: string }): ReactNode {
  const { voicemail, url, phoneNumber } = props;
  // Every read of the activity signs another address: the player keeps its own until that has expired.
  const [playing, setPlaying] = useState(url);
  async function markAsListened(): Promise<void> {
    if (voicemail.listened) return;
    const params = { path: { id: voicemail.id } };
    // Listening goes on if this fails; the next time it is played it is tried again.
    await ok(api.PATCH('/api/v1/voicemails/{id}', { params, body: { listened: true } })).catch(() => undefined);
    await refreshActivity(phoneNumber);
  }
  return (
    <audio
      controls
      preload="none"
      aria-label="Voicemail"
      src={playing}
      onPlay={() => void markAsListened()}
      onError={() => (playing === url ? void refreshActivity(phoneNumber) : setPlaying(url))}
    />
  );
}
