import { baseSettings, grpcServerSettings, mongoSettings, natsSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({ ...baseSettings, ...grpcServerSettings, ...mongoSettings, ...natsSettings });

export type Config = z.output<typeof config>;
