import { runMain } from '@parley/service';
import { service } from './index.ts';

await runMain(service);
