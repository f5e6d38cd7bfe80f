import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PopupButtonProps {
  readonly label: string;
  readonly class?: string;
  readonly kind: 'menu' | 'dialog';
  /** Nothing to choose from yet. */
  readonly disabled?: boolean;
  /** What the button shows. */
  readonly face: ComponentChildren;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with something that opens above it, inside the nearest positioned block so that it is never cut off. */
export function PopupButton({ label, class: extra, kind, disabled, face, children }: PopupButtonProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  usePlacement(open, button, popup);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event): void => {
      const { target } = event;
      if (target instanceof Node && !popup.current?.contains(target) && !button.current?.contains(target))
        setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`bar-button${extra === undefined ? '' : ` ${extra}`}`}
        aria-label={label}
        title={label}
        aria-haspopup={kind}
        aria-expanded={open}
        disabled={disabled === true}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={event => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {face}
      </button>
      {open && (
        <div
          ref={popup}
          id={id}
          class="popup"
          role={kind}
          aria-label={label}
          tabIndex={-1}
          onKeyDown={event => {
            if (event.key === 'Escape' || event.key === 'Tab') {
              if (event.key === 'Escape') event.preventDefault();
              event.stopPropagation();
              close();
            } else if (kind === 'menu') moveInMenu(event);
          }}
        >
          {children(close)}
        </div>
      )}
    </>
  );
}

/** Puts the popup over its button, shifted back inside when it would stick out, and the keyboard into it. */
function usePlacement(
  open: boolean,
  button: { readonly current: HTMLButtonElement | null },
  popup: { readonly current: HTMLDivElement | null },
): void {
  useLayoutEffect(() => {
    const box = popup.current;
    const owner = button.current;
    if (!open || !box || !owner) return;
    const frame = box.offsetParent?.getBoundingClientRect();
    if (frame) {
      const start = owner.getBoundingClientRect().left - frame.left;
      box.style.left = `${Math.max(0, Math.min(start, frame.width - box.offsetWidth))}px`;
    }
    const chosen =
      box.querySelector<HTMLElement>('[aria-checked="true"]') ?? box.querySelector<HTMLElement>('[role^="menuitem"]');
    (chosen ?? box).focus();
  }, [open, button, popup]);
}

function moveInMenu(event: TargetedKeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.findIndex(item => item === document.activeElement);
  const to = menuTarget(
    event.key,
    at,
    items.map(item => item.textContent),
  );
  const target = to === undefined ? undefined : items[to];
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function menuTarget(key: string, at: number, labels: readonly string[]): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % labels.length;
    case 'ArrowUp':
      return (at - 1 + labels.length) % labels.length;
    case 'Home':
      return 0;
    case 'End':
      return labels.length - 1;
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const order = labels.map((_, step) => (at + 1 + step) % labels.length);
      return order.find(index => labels[index]?.toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}
