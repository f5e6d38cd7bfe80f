/** What the bench does and counts inside of the page, called by name from outside. */
function log(): HTMLElement {
  const found = document.querySelector<HTMLElement>('[role="log"]');
  if (!found) throw new Error('There is no log in the page');
  return found;
}

const frame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve));

function rows(): number {
  return log().querySelectorAll('.row').length;
}

let framesAsked = 0;
let timersStarted = 0;

Object.assign(globalThis, {
  probe: {
    openMs(): number {
      const time = (name: string): number => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
      return time('painted') - time('asked');
    },

    rows,

    /** From where the reader is to the other end and back, so many pixels a frame. */
    async scroll(step: number): Promise<{ frames: number; worst: number; maxRows: number }> {
      const element = log();
      const gaps: number[] = [];
      let maxRows = 0;
      let last = await frame();
      for (const direction of [-1, 1]) {
        for (let count = 0; count < 3000; count++) {
          const before = element.scrollTop;
          element.scrollTop = before + direction * step;
          const now = await frame();
          gaps.push(now - last);
          last = now;
          maxRows = Math.max(maxRows, rows());
          const rest = element.scrollHeight - element.clientHeight - element.scrollTop;
          if (direction < 0 ? element.scrollTop <= 0 : rest <= 1) break;
        }
      }
      return { frames: gaps.length, worst: Math.max(...gaps), maxRows };
    },

    /** The longest time between two frames when nothing is drawn: what the machine itself does. */
    async rest(frames: number): Promise<number> {
      let worst = 0;
      let last = await frame();
      for (let count = 0; count < frames; count++) {
        const now = await frame();
        worst = Math.max(worst, now - last);
        last = now;
      }
      return worst;
    },

    /** From now on counts whoever asks for a frame or starts a timer. */
    watchTimers(): void {
      const { requestAnimationFrame: askFrame, setTimeout: later, setInterval: often } = globalThis;
      Object.assign(globalThis, {
        requestAnimationFrame: (call: FrameRequestCallback) => {
          framesAsked++;
          return askFrame(call);
        },
        setTimeout: (call: () => void, ms?: number) => {
          timersStarted++;
          return later(call, ms);
        },
        setInterval: (call: () => void, ms?: number) => {
          timersStarted++;
          return often(call, ms);
        },
      });
    },

    counted: () => ({ framesAsked, timersStarted }),
  },
});
