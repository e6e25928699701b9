import { BACKGROUND_NICENESS, serveJobs } from '../workers/serve-jobs.ts';
import { loadMoonshine, type Recognized } from './moonshine.ts';

const [runtimeFolder = '', modelFolder = ''] = process.argv.slice(2);
serveJobs<Int16Array, Recognized>(await loadMoonshine(runtimeFolder, modelFolder), BACKGROUND_NICENESS);
