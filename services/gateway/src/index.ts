import { defineService } from '@parley/service';
import { config } from './config.ts';
import { SERVICE, start } from './start.ts';

export const service = defineService({ name: SERVICE, config, start });

export { accountApiDocument, publicApiDocument, publicAsyncApiDocument } from './api-docs/api-document.ts';
