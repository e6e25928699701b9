import type { StatefulService } from '@parley/service';

/** Call-control with its database, its relay and the channels to its peers. */
export type OpenedService = StatefulService<'directory' | 'numbersRouting' | 'speech', true>;
