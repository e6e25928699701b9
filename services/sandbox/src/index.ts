import { defineService } from '@parley/service';
import { config } from './config.ts';
import { start } from './start.ts';

export const service = defineService({ name: 'sandbox', config, start });
