/** The tones of a ringing phone: 0.4 s, pause, 0.4 s, long pause. */
const RING = { hertz: [440, 480], onSecs: 0.4, gapSecs: 0.2, everyMs: 3000, volume: 0.15 };

const KEY = 'parley.ring';

export const isAudible = (): boolean => localStorage.getItem(KEY) !== 'off';

export function chooseAudible(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? 'on' : 'off');
}

/** Rings until it is stopped. Browsers keep it silent before the first click on the page. */
export class Ringer {
  #context: AudioContext | undefined;
  #timer: number | undefined;

  start(): void {
    if (this.#timer !== undefined || !isAudible()) return;
    this.#context ??= new AudioContext();
    this.#ring();
    this.#timer = window.setInterval(() => this.#ring(), RING.everyMs);
  }

  stop(): void {
    window.clearInterval(this.#timer);
    this.#timer = undefined;
    void this.#context?.suspend();
  }

  /** Once, to hear how it sounds. */
  try(): void {
    this.#context ??= new AudioContext();
    this.#ring();
  }

  #ring(): void {
    const context = this.#context!;
    void context.resume();
    for (const delay of [0, RING.onSecs + RING.gapSecs]) {
      for (const hertz of RING.hertz) {
        const tone = new OscillatorNode(context, { frequency: hertz });
        tone.connect(new GainNode(context, { gain: RING.volume })).connect(context.destination);
        tone.start(context.currentTime + delay);
        tone.stop(context.currentTime + delay + RING.onSecs);
      }
    }
  }
}
