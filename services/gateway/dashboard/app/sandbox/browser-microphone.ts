import { microphoneConstraints, PhoneAudio } from '../phone/phone-audio.ts';
import { sandbox } from './sandbox-client.ts';

/** Asks for the microphone that was chosen in this browser. */
export function openMicrophone(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia(microphoneConstraints());
}

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Makes this browser the phone of a leg, until `signal` is aborted. */
export async function talkOn(legId: string, microphone: MediaStream, signal: AbortSignal): Promise<void> {
  const connection = new RTCPeerConnection();
  const audio = new PhoneAudio();
  signal.addEventListener('abort', () => {
    connection.close();
    audio.stop();
    // A leg that has ended has none.
    sandbox.detachMicrophone(legId).catch(() => undefined);
  });
  audio.play(connection, () => !signal.aborted);
  for (const track of microphone.getAudioTracks()) connection.addTrack(track, microphone);
  await connection.setLocalDescription(await connection.createOffer());
  await hasAllCandidates(connection);
  if (signal.aborted) return;
  const { sdp } = await sandbox.attachMicrophone(legId, connection.localDescription?.sdp ?? '');
  if (!signal.aborted) await connection.setRemoteDescription({ type: 'answer', sdp });
}

function hasAllCandidates(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (connection.iceGatheringState === 'complete') resolve();
    };
    connection.addEventListener('icegatheringstatechange', check);
    check();
  });
}
