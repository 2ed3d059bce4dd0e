import { Component, type ReactNode } from "react";

/** Shows `fallback` in place of a page that threw. `resetKey` gives the next page a new chance. */
export class ErrorBoundary extends Component<
  { readonly fallback: ReactNode; readonly resetKey: string; readonly children: ReactNode },
  { readonly failedAt: string | null }
> {
  override state: { readonly failedAt: string | null } = { failedAt: null };

  static getDerivedStateFromError(): { readonly failedAt: string } {
    return { failedAt: "?" };
  }

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.resetKey });
  }

  override componentDidUpdate(): void {
    const { failedAt } = this.state;
    if (failedAt !== null && failedAt !== "?" && failedAt !== this.props.resetKey) {
      this.setState({ failedAt: null });
    }
  }

  override render(): ReactNode {
    return this.state.failedAt === null ? this.props.children : this.props.fallback;
  }
}
