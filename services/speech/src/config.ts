import { baseSettings, grpcServerSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({ ...baseSettings, ...grpcServerSettings });

export type Config = z.output<typeof config>;
