const MICROPHONE_KEY = 'parley.microphone';

/** The device that was chosen in this browser; empty for its default. */
export const chosenMicrophone = (): string => localStorage.getItem(MICROPHONE_KEY) ?? '';

/** The speaker of this window, and the microphone that was chosen in this browser. */
export class PhoneAudio {
  readonly #speaker = new Audio();

  /** Plays what arrives on a connection, unless it is that of a conversation on hold then. */
  play(connection: RTCPeerConnection, isHeard: () => boolean): void {
    connection.addEventListener('track', () => {
      if (isHeard()) this.hear(connection);
    });
  }

  /** Plays this connection instead of another one. */
  hear(connection: RTCPeerConnection): void {
    this.#speaker.srcObject = new MediaStream(connection.getReceivers().map(({ track }) => track));
    void this.#speaker.play().catch(() => undefined);
  }

  stop(): void {
    this.#speaker.srcObject = null;
  }

  /** Asks for the microphone now rather than when the phone rings. */
  async mayUseMicrophone(): Promise<boolean> {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      for (const track of stream.getTracks()) track.stop();
      return true;
    } catch {
      return false;
    }
  }

  /** Applies to the next calls, and to the one on this connection. */
  async useMicrophone(deviceId: string, connection: RTCPeerConnection | undefined): Promise<void> {
    localStorage.setItem(MICROPHONE_KEY, deviceId);
    const sender = connection?.getSenders().find(({ track }) => track?.kind === 'audio');
    if (!sender) return;
    const [track] = (await navigator.mediaDevices.getUserMedia(microphoneConstraints())).getAudioTracks();
    if (!track) return;
    // A muted call stays muted.
    track.enabled = sender.track?.enabled ?? true;
    sender.track?.stop();
    await sender.replaceTrack(track);
  }
}

export function microphoneConstraints(): MediaStreamConstraints {
  const deviceId = chosenMicrophone();
  return { audio: deviceId === '' ? true : { deviceId }, video: false };
}
