const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** The same, where there is little room: the time for today, the day for the rest. */
export function shortTimeText(at: number, now: number = Date.now()): string {
  const moment = new Date(at);
  return (moment.toDateString() === new Date(now).toDateString() ? time : day).format(moment);
}

/** When something was: the time alone for today. */
export function timeText(at: number, now: number = Date.now()): string {
  const moment = new Date(at);
  return moment.toDateString() === new Date(now).toDateString() ? time.format(moment) : dayAndTime.format(moment);
}
