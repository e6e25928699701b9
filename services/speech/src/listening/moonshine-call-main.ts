import { resample, toFloat32 } from '@parley/audio';
import { SPEECH_RATE, TELEPHONE_RATE, toInt16 } from '../audio/speech-samples.ts';
import { loadMoonshine, type Recognized } from '../recognition/moonshine.ts';
import { CALL_NICENESS, serveJobs } from '../workers/serve-jobs.ts';

const [runtimeFolder = '', modelFolder = ''] = process.argv.slice(2);
const recognize = await loadMoonshine(runtimeFolder, modelFolder);

/** Takes sound at `TELEPHONE_RATE`. */
serveJobs<Int16Array, Recognized>(
  (samples, signal) => recognize(toInt16(resample(toFloat32(samples), TELEPHONE_RATE, SPEECH_RATE)), signal),
  CALL_NICENESS,
);
