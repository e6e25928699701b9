import { httpUrl } from '@parley/service';
import { z } from 'zod';

/** A bucket, as an operator names it. */
export const s3BucketSetting = z
  .object({
    endpoint: httpUrl,
    region: z.string().min(1).default('us-east-1'),
    bucket: z.string().regex(/^[\w.-]{3,63}$/),
    prefix: z
      .string()
      .regex(/^[\w./-]*$/)
      .default(''),
    access_key_id: z.string().min(1),
    secret_access_key: z.string().min(1),
  })
  .transform(({ access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...rest }) => ({
    ...rest,
    accessKeyId,
    secretAccessKey,
  }));
