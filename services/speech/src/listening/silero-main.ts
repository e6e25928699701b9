import path from 'node:path';
import { toFloat32 } from '@parley/audio';
import { TELEPHONE_RATE } from '../audio/speech-samples.ts';
import { loadOnnxRuntime, sessionOptions } from '../workers/onnx-runtime.ts';
import { CALL_NICENESS, serveJobs } from '../workers/serve-jobs.ts';
import {
  FRAME_SAMPLES,
  LEAD_SAMPLES,
  MEMORY_LENGTH,
  type VoiceJob,
  type VoiceProbabilities,
} from './voice-detector.ts';

const [runtimeFolder = '', modelFolder = ''] = process.argv.slice(2);
const { InferenceSession, Tensor } = loadOnnxRuntime(runtimeFolder);
const session = await InferenceSession.create(path.join(modelFolder, 'dist/silero_vad_v5.onnx'), sessionOptions);
const rate = new Tensor('int64', BigInt64Array.of(BigInt(TELEPHONE_RATE)), []);
const length = LEAD_SAMPLES + FRAME_SAMPLES;

serveJobs<VoiceJob, VoiceProbabilities>(async ({ samples, memory }, signal) => {
  const sound = toFloat32(samples);
  const probabilities = new Float32Array(Math.floor((sound.length - LEAD_SAMPLES) / FRAME_SAMPLES));
  let state = new Tensor('float32', memory, [2, 1, MEMORY_LENGTH / 2]);
  for (const frame of probabilities.keys()) {
    signal.throwIfAborted();
    const at = frame * FRAME_SAMPLES;
    const input = new Tensor('float32', sound.slice(at, at + length), [1, length]);
    const heard = await session.run({ input, state, sr: rate });
    state = heard['stateN']!;
    probabilities[frame] = heard['output']!.data[0]!;
  }
  return { probabilities, memory: state.data };
}, CALL_NICENESS);
