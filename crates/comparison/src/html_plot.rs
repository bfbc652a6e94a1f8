//! Plots of two quantities as inline SVG.

use maud::{Markup, html};

/// The size of a plot, and its margins.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 14.0;
const RIGHT: f64 = 16.0;
/// Circles and lines of the plots.
pub(crate) const PLOT_STYLE: &str = ".line{fill:none;stroke:var(--bar);stroke-width:2}\
.dot{fill:var(--bar);fill-opacity:.45}.front{fill:var(--part)}.default{fill:none;stroke:var(--ink);stroke-width:2}\
.axis{stroke:var(--line)}td:first-child,th:first-child{text-align:left}";

/// The ranges of a plot.
pub(crate) struct Axes {
    /// The least and the greatest value on the horizontal axis.
    pub x: (f64, f64),
    /// The least and the greatest value on the vertical axis.
    pub y: (f64, f64),
}

impl Axes {
    /// The position of a value on the horizontal axis.
    pub fn x(&self, value: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * (value - self.x.0) / (self.x.1 - self.x.0)
    }

    /// The position of a value on the vertical axis.
    pub fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value - self.y.0) / (self.y.1 - self.y.0)
    }
}

/// Axes with their names, and what is drawn between them.
pub(crate) fn plot(title: &str, axes: &Axes, x_name: &str, y_name: &str, content: &Markup) -> Markup {
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0];
    let at = |(least, most): (f64, f64), share: f64| least + (most - least) * share;
    html! {
        svg role="img" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT) {
            title { (title) }
            @for share in ticks {
                @let (x, y) = (at(axes.x, share), at(axes.y, share));
                line class="axis" x1=(format!("{:.1}", axes.x(x))) x2=(format!("{:.1}", axes.x(x))) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                line class="axis" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(format!("{:.1}", axes.y(y))) y2=(format!("{:.1}", axes.y(y))) {}
                text x=(format!("{:.1}", axes.x(x))) y=(HEIGHT - BOTTOM + 16.0) text-anchor="middle" { (short(x)) }
                text x=(LEFT - 6.0) y=(format!("{:.1}", axes.y(y) + 4.0)) text-anchor="end" { (short(y)) }
            }
            text x=(WIDTH - RIGHT) y=(HEIGHT - 6.0) text-anchor="end" { (x_name) }
            text x="4" y=(TOP) { (y_name) }
            (content)
        }
    }
}

/// A number with three digits or so.
fn short(value: f64) -> String {
    match value {
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}
