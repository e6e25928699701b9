import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';

export const NO_ISO_TIME = 'must be an ISO 8601 timestamp with an offset';

export const isoTimeSchema = z.iso.datetime({ offset: true, error: NO_ISO_TIME });

export function timestampOf(text: string | null | undefined): Timestamp | undefined {
  return text ? timestampFromDate(new Date(text)) : undefined;
}
