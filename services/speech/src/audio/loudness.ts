/** Root mean square of each frame of the given length, from 0 to 1. The last, shorter frame counts too. */
export function loudness(samples: Float32Array, frameLength: number): Float32Array {
  const frames = new Float32Array(Math.ceil(samples.length / frameLength));
  for (let frame = 0; frame < frames.length; frame += 1) {
    const end = Math.min(samples.length, (frame + 1) * frameLength);
    let sum = 0;
    for (let i = frame * frameLength; i < end; i += 1) sum += samples[i]! * samples[i]!;
    frames[frame] = Math.sqrt(sum / (end - frame * frameLength));
  }
  return frames;
}
