import { serveJobs } from '../workers/serve-jobs.ts';
import { type CalculationJob, calculations } from './calculations.ts';

serveJobs<CalculationJob, unknown>(({ name, input }) => (calculations[name] as (input: unknown) => unknown)(input));
