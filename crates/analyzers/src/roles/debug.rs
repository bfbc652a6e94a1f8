//! The role `debug`: an analyzer reports what its engine knows where it reaches a check.
//!
//! Its section has the keys of `[reachability]`.

use super::RoleKind;
use super::reachability::{info, manual, permissive, restrict, simulate, validate};
use crate::probes;
use crate::question::c_question;
use crate::reachability::ReachabilityRole;
use descriptions::{Fault, fault};
use model::{CheckStatus, Role, RoleInfo};

pub(super) const KIND: RoleKind = RoleKind {
    role: Role::Debug,
    summary: |description| description.debug.as_ref().map(|_| "what its engine knows at a check".to_owned()),
    manual: |description| {
        let role = description.debug.as_ref();
        role.map_or(Vec::new(), |role| manual(Role::Debug, "says what its engine knows of a condition", role))
    },
    probes: probes::debug::probes,
    permissive: || RoleInfo::Debug(permissive()),
    simulate,
    check_choices: |_, _, _| Ok(()),
    question: c_question,
    info: |description, choices| description.debug.as_ref().map(|role| RoleInfo::Debug(info(role, choices))),
    steps: |description| description.debug.as_ref().map_or(&[][..], |role| &role.steps[..]),
    options: |description| description.debug.as_ref().map_or(&[][..], |role| &role.options[..]),
    restrict: |description, version| {
        if let Some(role) = &mut description.debug {
            restrict(role, version);
        }
    },
    validate: |description| {
        let Some(role) = &description.debug else { return Ok(()) };
        validate(Role::Debug, role, &description.configuration.arguments)?;
        check_debug(role)
    },
};

/// An engine that reports nothing, or several states, does not know.
fn check_debug(role: &ReachabilityRole) -> Result<(), Fault> {
    if role.check_within.is_none() {
        let message = "`[debug]` needs `check-within`: a check inside an expression, followed by a comma";
        return fault("[debug]", message);
    }
    if !role.output.agreement || role.output.silent != Some(CheckStatus::Unknown) {
        let message = "expected `agreement = true` and `silent = \"unknown\"`: an engine that reports nothing or several \
            states for a check does not know";
        return fault("[debug.output]", message);
    }
    match role.output.rows.iter().find(|row| !row.pattern.has_capture("values")) {
        Some(row) => {
            let message = "a row must keep the word that was printed; expected a group `(?<values>...)`";
            fault(row.pattern.as_str(), message)
        }
        None => Ok(()),
    }
}
