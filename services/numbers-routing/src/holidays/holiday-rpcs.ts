import { invalid, Refused } from '@parley/errors';
import { HolidayService } from '@parley/proto/numbers_routing/v1/closures_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { YEAR_MAX, YEAR_MIN } from '../closures/calendar-date.ts';
import type { Holidays } from './holidays.ts';

export function addHolidayRpcs(server: RpcServer, calendars: Holidays): void {
  server.add(HolidayService, employees.withRole('member'), {
    async listHolidays({ country, year }, { principal: { companyId } }) {
      if (year < YEAR_MIN || year > YEAR_MAX)
        throw new Refused(invalid({ year: [`must be ${YEAR_MIN} to ${YEAR_MAX}`] }));
      const holidays = await calendars.of(companyId, country, year);
      if (!holidays) throw new Refused(invalid({ country: ['is not a country whose holidays are known'] }));
      return { holidays: [...holidays] };
    },
  });
}
