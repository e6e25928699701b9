import type { Check } from '../check.ts';
import { protocolChecks } from './protocol.ts';
import { toolChecks } from './tools.ts';

export const mcpChecks: readonly Check[] = [...protocolChecks, ...toolChecks];
